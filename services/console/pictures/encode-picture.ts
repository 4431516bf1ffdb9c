import { hash } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import { imageSize } from 'image-size'
import { type PictureUse, pictureUses } from '#admin-api'

/** The picture that is stored, and what identifies the one that was uploaded. */
export interface EncodedPicture {
  /** As a data URL. */
  readonly picture: string
  /** SHA-256, lower-case hex. */
  readonly source_hash: string
}

/**
 * Pixels that are decoded at most: a small file can have a picture that fills the memory, and decoding delays other requests. The
 * console's page reduces larger pictures before it sends them. Our choice.
 */
const maxPixels = 2_500_000
const qualities = [82, 70, 58, 46] as const

/** A picture that cannot be used. The message is the reason, for the field. */
export class PictureRejected extends Error {
  override readonly name = 'PictureRejected'
}

/**
 * Decodes a PNG or JPEG and encodes its pixels again, so that neither metadata nor anything hidden in the file is stored, and
 * reduces it to what its use needs.
 *
 * @throws PictureRejected
 */
export function encodePicture(dataUrl: string, use: PictureUse): Promise<EncodedPicture> {
  const encoding = lastEncoding.catch(() => {}).then(() => decodeAndEncode(dataUrl, use))
  lastEncoding = encoding
  return encoding
}

/** One picture is in memory at a time. */
let lastEncoding: Promise<unknown> = Promise.resolve()

async function decodeAndEncode(dataUrl: string, use: PictureUse): Promise<EncodedPicture> {
  const source = Buffer.from(dataUrl.slice(dataUrl.indexOf(',') + 1), 'base64')
  checkSize(source)
  const { width, height, max_bytes, type } = pictureUses[use]
  // Loaded with the first picture, since it is large.
  const { Jimp } = await import('jimp')
  const image = await Jimp.read(source).catch((error: unknown) => {
    throw new PictureRejected('cannot be read', { cause: error })
  })
  if (image.width > width || image.height > height) image.scaleToFit({ w: width, h: height })
  const toResult = (encoded: Buffer): EncodedPicture => ({
    picture: `data:${type};base64,${encoded.toString('base64')}`,
    source_hash: hash('sha256', source),
  })
  if (type === 'image/png') {
    const encoded = await image.getBuffer('image/png')
    if (encoded.length > max_bytes)
      throw new PictureRejected(`has more than ${max_bytes / 1_000} kB when it is encoded`)
    return toResult(encoded)
  }
  for (const quality of qualities) {
    // Other requests are served in between.
    await turn()
    const encoded = await image.getBuffer('image/jpeg', { quality })
    if (encoded.length <= max_bytes) return toResult(encoded)
  }
  throw new PictureRejected(`has more than ${max_bytes / 1_000} kB when it is encoded`)
}

/** Reads the size in the header, before any pixel is decoded. */
function checkSize(source: Buffer): void {
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
