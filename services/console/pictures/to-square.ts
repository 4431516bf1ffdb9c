import { crop, PhotonImage, resize, SamplingFilter } from '@cf-wasm/photon/node'
import { checkUserPicture } from './check-user-picture.ts'

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
  using opaque = new PhotonImage(turn(withWhiteBackground(small.get_raw_pixels()), orientation), side, side)
  return opaque.get_bytes_jpeg(quality)
}

/** JPEG has no transparency. */
function withWhiteBackground(pixels: Uint8Array): Uint8Array {
  return pixels.map((value, at) => {
    const alpha = pixels[at - (at % 4) + 3] ?? 255
    return at % 4 === 3 ? 255 : Math.round((value * alpha + 255 * (255 - alpha)) / 255)
  })
}

/** Where the pixel at `x` and `y` comes from, by the orientation of Exif that is not 1 (TIFF 6.0, tag 274). */
const sourceOf: Readonly<Record<number, (x: number, y: number) => readonly [x: number, y: number]>> = {
  2: (x, y) => [side - 1 - x, y],
  3: (x, y) => [side - 1 - x, side - 1 - y],
  4: (x, y) => [x, side - 1 - y],
  5: (x, y) => [y, x],
  6: (x, y) => [y, side - 1 - x],
  7: (x, y) => [side - 1 - y, side - 1 - x],
  8: (x, y) => [side - 1 - y, x],
}

/** Turns a square as cameras ask for it. */
function turn(pixels: Uint8Array, orientation: number): Uint8Array {
  const findSource = sourceOf[orientation]
  if (findSource === undefined) return pixels
  return pixels.map((_, at) => {
    const pixel = Math.floor(at / 4)
    const [x, y] = findSource(pixel % side, Math.floor(pixel / side))
    return pixels[(y * side + x) * 4 + (at % 4)] ?? 0
  })
}
