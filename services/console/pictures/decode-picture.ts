import { imageSize } from 'image-size'

/** A picture that cannot be used. The message is the reason, for the field. */
export class PictureRejected extends Error {
  override readonly name = 'PictureRejected'
}

/**
 * Decodes a PNG or JPEG of at most so many pixels, whose number is read from the header before any is decoded.
 *
 * @throws PictureRejected
 */
export async function decodePixels(source: Buffer, maxPixels: number) {
  checkSize(source, maxPixels)
  // Loaded with the first picture, since it is large.
  const { Jimp } = await import('jimp')
  return Jimp.read(source).catch((error: unknown) => {
    throw new PictureRejected('cannot be read', { cause: error })
  })
}

function checkSize(source: Buffer, maxPixels: number): void {
  const { type, width, height } = readSize(source)
  if (type !== 'png' && type !== 'jpg') throw new PictureRejected('is neither PNG nor JPEG')
  if (width * height > maxPixels) throw new PictureRejected(`has more than ${maxPixels / 1_000_000} million pixels`)
}

function readSize(source: Buffer) {
  try {
    return imageSize(source)
  } catch (error) {
    throw new PictureRejected('cannot be read', { cause: error })
  }
}

/** One picture is in memory at a time. */
let lastWork: Promise<unknown> = Promise.resolve()

/** Does work with a decoded picture when no other is in memory. */
export function workAlone<T>(work: () => Promise<T>): Promise<T> {
  const next = lastWork.catch(() => {}).then(work)
  lastWork = next
  return next
}
