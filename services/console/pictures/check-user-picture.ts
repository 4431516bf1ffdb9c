import { imageSize } from 'image-size'

const types: readonly (string | undefined)[] = ['png', 'jpg', 'webp', 'gif']

/**
 * Checks a file before any of its pixels is decoded: a small file can have a picture that fills the memory. The pictures in a WebP
 * and a GIF are checked, too, because the header of the file can name another size.
 *
 * @returns the orientation of Exif, 1 without one
 * @throws Error if it is no PNG, JPEG, WebP or GIF, or one of its pictures has more pixels
 */
export function checkUserPicture(source: Buffer, maxPixels: number): { orientation: number } {
  const { type, width, height, orientation = 1 } = imageSize(source)
  if (!types.includes(type)) throw new Error('The picture is no PNG, JPEG, WebP or GIF.')
  const sizes = [{ width, height }]
  if (type === 'webp') sizes.push(...listWebpSizes(source.subarray(12)))
  if (type === 'gif') sizes.push(...listGifSizes(source))
  if (sizes.some((size) => size.width * size.height > maxPixels))
    throw new Error(`The picture has more than ${maxPixels / 1_000_000} million pixels.`)
  return { orientation }
}

interface Size {
  readonly width: number
  readonly height: number
}

/** The sizes in the chunks of a WebP, and in those of its frames (RFC 9649, section 2). */
function listWebpSizes(chunks: Buffer): Size[] {
  const sizes: Size[] = []
  for (let at = 0; at + 8 <= chunks.length; ) {
    const length = chunks.readUInt32LE(at + 4)
    // The decoder would make up the rest.
    if (at + 8 + length > chunks.length) throw new Error('The WebP is not complete.')
    const content = chunks.subarray(at + 8, at + 8 + length)
    sizes.push(...readWebpChunk(chunks.toString('latin1', at, at + 4), content))
    // Contents are filled up to an even length.
    at += 8 + length + (length % 2)
  }
  return sizes
}

function readWebpChunk(name: string, content: Buffer): Size[] {
  if (name === 'ANMF' && content.length >= 16) {
    const frame = { width: content.readUIntLE(6, 3) + 1, height: content.readUIntLE(9, 3) + 1 }
    return [frame, ...listWebpSizes(content.subarray(16))]
  }
  if (name === 'VP8L' && content.length >= 5) {
    const bits = content.readUInt32LE(1)
    return [{ width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }]
  }
  if (name === 'VP8 ' && content.length >= 10)
    return [{ width: content.readUInt16LE(6) & 0x3fff, height: content.readUInt16LE(8) & 0x3fff }]
  return []
}

/** The size of the first frame of a GIF, the only one that is decoded (GIF89a specification, sections 18 to 26). */
function listGifSizes(source: Buffer): Size[] {
  let at = 13 + readColorTableBytes(source[10] ?? 0)
  // Extensions precede the frame: a label and blocks, each with its length, the last one empty.
  while (source[at] === 0x21) {
    at += 2
    for (let length = source[at] ?? 0; length > 0; length = source[at] ?? 0) at += 1 + length
    at += 1
  }
  if (source[at] !== 0x2c || at + 9 > source.length) throw new Error('The GIF has no picture.')
  return [{ width: source.readUInt16LE(at + 5), height: source.readUInt16LE(at + 7) }]
}

function readColorTableBytes(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1)
}
