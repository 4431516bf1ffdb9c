import { hash } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import { type PictureUse, pictureUses } from '#admin-api'
import { decodePixels, PictureRejected, workAlone } from './decode-picture.ts'

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

/**
 * Decodes a PNG or JPEG and encodes its pixels again, so that neither metadata nor anything hidden in the file is stored, and
 * reduces it to what its use needs.
 *
 * @throws PictureRejected
 */
export function encodePicture(dataUrl: string, use: PictureUse): Promise<EncodedPicture> {
  return workAlone(() => decodeAndEncode(dataUrl, use))
}

async function decodeAndEncode(dataUrl: string, use: PictureUse): Promise<EncodedPicture> {
  const source = Buffer.from(dataUrl.slice(dataUrl.indexOf(',') + 1), 'base64')
  const { width, height, max_bytes, type } = pictureUses[use]
  const image = await decodePixels(source, maxPixels)
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
