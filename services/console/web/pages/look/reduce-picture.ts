import { pictureUses } from 'virtual:contract'
import type { PictureUse } from '#admin-api'

/**
 * Reads a picture as a data URL. A picture that is larger than its use needs is reduced first, so that photos are not too large for
 * the server. A file that is no picture is sent as it is: the server says why it cannot be used.
 */
export async function readPicture(file: File, use: PictureUse): Promise<string> {
  const image = await createImageBitmap(file).catch(() => undefined)
  if (image === undefined) return readDataUrl(file)
  const { width, height, type } = pictureUses[use]
  const scale = Math.min(1, width / image.width, height / image.height)
  if (scale === 1) return readDataUrl(file)
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(image.width * scale))
  canvas.height = Math.max(1, Math.round(image.height * scale))
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
  return canvas.toDataURL(type, 0.9)
}

function readDataUrl(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error ?? new Error('The file could not be read.'))
    reader.readAsDataURL(file)
  })
}
