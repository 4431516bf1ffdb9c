import { crop, PhotonImage, resize, SamplingFilter } from '@cf-wasm/photon/node'
import { checkUserPicture } from './check-user-picture.ts'
import { turn, withWhiteBackground } from './pixels.ts'

/** Pixels of a side. Twice what pages show, for fine screens. */
const side = 80
/** Providers send pictures of a few hundred pixels a side. Each pixel takes about 12 bytes of memory while it is decoded. Our choice. */
const maxPixels = 2_500_000
const quality = 82

/**
 * Decodes the first frame of a PNG, JPEG, WebP or GIF and encodes its pixels again as a small square JPEG, so that neither metadata nor
 * anything hidden in the file is sent on. It blocks its thread, and can leave the decoder unusable if it fails.
 *
 * @throws Error if the picture cannot be used
 */
export function toSquare(source: Buffer): Uint8Array {
  const { orientation } = checkUserPicture(source, maxPixels)
  using image = PhotonImage.new_from_byteslice(source)
  const [width, height] = [image.get_width(), image.get_height()]
  const length = Math.min(width, height)
  const [left, top] = [Math.floor((width - length) / 2), Math.floor((height - length) / 2)]
  using center = crop(image, left, top, left + length, top + length)
  using small = resize(center, side, side, SamplingFilter.Triangle)
  const { bytes } = turn({ bytes: small.get_raw_pixels(), width: side, height: side }, orientation)
  using opaque = new PhotonImage(withWhiteBackground(bytes), side, side)
  return opaque.get_bytes_jpeg(quality)
}
