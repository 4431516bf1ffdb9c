/** The size that the server reduces pictures to, in pixels. */
const sizes = {
  logo: { width: 800, height: 400 },
  favicon: { width: 64, height: 64 },
  background: { width: 1_920, height: 1_200 },
} as const

/**
 * Reads a picture as a data URL. A picture that is larger than its use needs is reduced first, so that photos are not too large for
 * the server. A file that is no picture is sent as it is: the server says why it cannot be used.
 */
export async function readPicture(file: File, use: keyof typeof sizes): Promise<string> {
  const image = await createImageBitmap(file).catch(() => undefined)
  if (image === undefined) return readDataUrl(file)
  const { width, height } = sizes[use]
  const scale = Math.min(1, width / image.width, height / image.height)
  if (scale === 1) return readDataUrl(file)
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(image.width * scale))
  canvas.height = Math.max(1, Math.round(image.height * scale))
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
  return canvas.toDataURL(use === 'background' ? 'image/jpeg' : 'image/png', 0.9)
}

function readDataUrl(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error ?? new Error('The file could not be read.'))
    reader.readAsDataURL(file)
  })
}
