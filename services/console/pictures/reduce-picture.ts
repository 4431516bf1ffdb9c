import { PhotonImage, resize, SamplingFilter } from '@cf-wasm/photon/node'
import { imageSize } from 'image-size'
import { type PictureUse, pictureUses } from '#admin-api'
import { encodePng } from './encode-png.ts'
import { type Pixels, turn, turnSize, withWhiteBackground } from './pixels.ts'

const qualities = [82, 70, 58, 46] as const

/**
 * Decodes a PNG or JPEG and encodes its pixels again, reduced to what its use needs, so that neither metadata nor anything hidden in
 * the file is stored. A JPEG is compressed until it has at most the bytes of its use, if it can. It blocks its thread, and can leave
 * the decoder unusable if it fails.
 *
 * @throws Error if the picture cannot be decoded
 */
export function reducePicture(source: Buffer, use: PictureUse): Uint8Array {
  const { type, max_bytes, ...most } = pictureUses[use]
  const { orientation = 1 } = imageSize(source)
  using decoded = PhotonImage.new_from_byteslice(source)
  const size = { width: decoded.get_width(), height: decoded.get_height() }
  const box = turnSize(most, orientation)
  const scale = Math.min(1, box.width / size.width, box.height / size.height)
  const toReduced = (length: number) => Math.max(1, Math.round(length * scale))
  const [width, height] = [toReduced(size.width), toReduced(size.height)]
  using reduced = resize(decoded, width, height, SamplingFilter.CatmullRom)
  const turned = turn({ bytes: reduced.get_raw_pixels(), width, height }, orientation)
  return type === 'image/png' ? encodePng(turned) : encodeJpeg(turned, max_bytes)
}

function encodeJpeg({ bytes, width, height }: Pixels, maxBytes: number): Uint8Array {
  using image = new PhotonImage(withWhiteBackground(bytes), width, height)
  let encoded: Uint8Array = new Uint8Array()
  for (const quality of qualities) {
    encoded = image.get_bytes_jpeg(quality)
    if (encoded.length <= maxBytes) break
  }
  return encoded
}
