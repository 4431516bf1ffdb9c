/** A picture, with four bytes for each pixel: red, green, blue, alpha. */
export interface Pixels {
  readonly bytes: Uint8Array
  readonly width: number
  readonly height: number
}

type Size = Pick<Pixels, 'width' | 'height'>

/** Where the pixel at `x` and `y` comes from in a picture of this size, by the orientation of Exif that is not 1 (TIFF 6.0, tag 274). */
const sourceOf: Readonly<Record<number, (x: number, y: number, size: Size) => readonly [x: number, y: number]>> = {
  2: (x, y, { width }) => [width - 1 - x, y],
  3: (x, y, { width, height }) => [width - 1 - x, height - 1 - y],
  4: (x, y, { height }) => [x, height - 1 - y],
  5: (x, y) => [y, x],
  6: (x, y, { height }) => [y, height - 1 - x],
  7: (x, y, { width, height }) => [width - 1 - y, height - 1 - x],
  8: (x, y, { width }) => [width - 1 - y, x],
}

/** The size of a picture with this orientation of Exif when it is turned, or that of a turned one before. */
export function turnSize({ width, height }: Size, orientation: number): Size {
  return orientation >= 5 && orientation <= 8 ? { width: height, height: width } : { width, height }
}

/** Turns a picture as its camera asks for it, by the orientation of Exif. */
export function turn(picture: Pixels, orientation: number): Pixels {
  const findSource = sourceOf[orientation]
  if (findSource === undefined) return picture
  const { width, height } = turnSize(picture, orientation)
  // A copy begins at the first byte of its buffer.
  const source = new Uint32Array(picture.bytes.slice().buffer)
  const turned = new Uint32Array(width * height)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [fromX, fromY] = findSource(x, y, picture)
      turned[y * width + x] = source[fromY * picture.width + fromX] ?? 0
    }
  return { bytes: new Uint8Array(turned.buffer), width, height }
}

/** JPEG has no transparency. */
export function withWhiteBackground(bytes: Uint8Array): Uint8Array {
  return bytes.map((value, at) => {
    const alpha = bytes[at - (at % 4) + 3] ?? 255
    return at % 4 === 3 ? 255 : Math.round((value * alpha + 255 * (255 - alpha)) / 255)
  })
}
