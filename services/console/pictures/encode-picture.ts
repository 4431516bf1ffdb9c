import { hash } from 'node:crypto'
import { imageSize } from 'image-size'
import { type PictureUse, pictureUses } from '#admin-api'
import type { PictureThread } from './picture-thread.ts'

/** The picture that is stored, and what identifies the one that was uploaded. */
export interface EncodedPicture {
  /** As a data URL. */
  readonly picture: string
  /** SHA-256, lower-case hex. */
  readonly source_hash: string
}

/** A picture that cannot be used. The message is the reason, for the field. */
export class PictureRejected extends Error {
  override readonly name = 'PictureRejected'
}

/**
 * Pixels that are decoded at most: a small file can have a picture that fills the memory. The console's page reduces larger pictures
 * before it sends them. Our choice.
 */
const maxPixels = 2_500_000

/**
 * Decodes a PNG or JPEG and encodes its pixels again, so that neither metadata nor anything hidden in it is stored, and
 * reduces it to what its use needs.
 *
 * @throws PictureRejected
 */
export async function encodePicture(thread: PictureThread, dataUrl: string, use: PictureUse): Promise<EncodedPicture> {
  const source = Buffer.from(dataUrl.slice(dataUrl.indexOf(',') + 1), 'base64')
  checkHeader(source)
  const { max_bytes, type } = pictureUses[use]
  const encoded = await thread.encode({ source, use }).catch(rejectUnreadable)
  if (encoded.length > max_bytes) throw new PictureRejected(`has more than ${max_bytes / 1_000} kB when it is encoded`)
  return {
    picture: `data:${type};base64,${encoded.toString('base64')}`,
    source_hash: hash('sha256', source),
  }
}

/** The header says how many pixels there are, before any is decoded. */
function checkHeader(source: Buffer): void {
  const { type, width, height } = readSize(source)
  if (type !== 'png' && type !== 'jpg') throw new PictureRejected('is neither PNG nor JPEG')
  if (width * height > maxPixels) throw new PictureRejected(`has more than ${maxPixels / 1_000_000} million pixels`)
}

function readSize(source: Buffer) {
  try {
    return imageSize(source)
  } catch (error) {
    return rejectUnreadable(error)
  }
}

function rejectUnreadable(cause: unknown): never {
  throw new PictureRejected('cannot be read', { cause })
}
