import { PhotonImage } from '@cf-wasm/photon/node'
import { encodePng } from '../pictures/encode-png.ts'
import type { Pixels } from '../pictures/pixels.ts'

/** Pictures of 48 × 32 pixels, as encoders of providers write them. */
const files = {
  /** WebP, lossy (libwebp): red. */
  lossy:
    'UklGRk4AAABXRUJQVlA4IEIAAACQAwCdASowACAAPm02l0ikIyIhJWgAgA2JZwDPkoB+AAAr98NwAP7wm0P/5BcsLrka//yA/5Af8gP/498Ql180AAA=',
  /** WebP with transparency (libwebp): green, half transparent. */
  transparent:
    'UklGRnAAAABXRUJQVlA4WAoAAAAQAAAALwAAHwAAQUxQSAoAAAABB1DAiAhERP8DVlA4IEAAAACwAwCdASowACAAPm02l0ikIyIhJWgAgA2JZwB2APwA/AAAZgJ3QAD+5Yc//+1oDg1X+nZ//998Mt7t/5igAAAA',
  /** Animated WebP, lossless: blue, then red. */
  animated:
    'UklGRoQAAABXRUJQVlA4WAoAAAACAAAALwAAHwAAQU5JTQYAAAD/////AABBTk1GKAAAAAAAAAAAAC8AAB8AAGQAAABWUDhMDwAAAC8vwAcABxDR//4HIqL/AQBBTk1GKAAAAAAAAAAAAC8AAB8AAGQAAABWUDhMDwAAAC8vwAcABxD9j/4HIqL/AQA=',
  /** Animated GIF: red, then green. */
  gif: 'R0lGODlhMAAgAIAAAAD/AP8AACH/C05FVFNDQVBFMi4wAwEAAAAh+QQICgAAACwAAAAAMAAgAAACJoyPqcvtD6OctNqLs968+w+G4kiW5omm6sq27gvH8kzX9o3n+l0AACH5BAgKAAAALAAAAAAwACAAAAImhI+py+0Po5y02ouz3rz7D4biSJbmiabqyrbuC8fyTNf2jef6XQAAOw==',
} as const

export function readPictureFile(name: keyof typeof files): Buffer {
  return Buffer.from(files[name], 'base64')
}

/** The file with other bytes after the first place of a text. */
export function patchAfter(file: Buffer, text: string, offset: number, bytes: readonly number[]): Buffer {
  const patched = Buffer.from(file)
  patched.set(bytes, patched.indexOf(text, 0, 'latin1') + text.length + offset)
  return patched
}

/** A JPEG with the orientation of a camera in its Exif data (TIFF 6.0, tag 274). */
export function withOrientation(jpeg: Buffer, orientation: number): Buffer {
  const tiff = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0]
  const exif = Buffer.from([...Buffer.from('Exif\0\0'), ...tiff])
  return Buffer.concat([jpeg.subarray(0, 2), Buffer.from([0xff, 0xe1, 0, exif.length + 2]), exif, jpeg.subarray(2)])
}

type Color = readonly [red: number, green: number, blue: number]

/** A picture of which each pixel has the color of its place. */
export function drawPixels(width: number, height: number, colorAt: (x: number, y: number) => Color): Pixels {
  const bytes = new Uint8Array(width * height * 4)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) bytes.set([...colorAt(x, y), 255], (y * width + x) * 4)
  return { bytes, width, height }
}

export function drawPng(width: number, height: number, color: Color): Buffer {
  return encodePng(drawPixels(width, height, () => color))
}

export function encodeJpeg({ bytes, width, height }: Pixels): Buffer {
  using image = new PhotonImage(bytes, width, height)
  return Buffer.from(image.get_bytes_jpeg(90))
}

/** The size of a PNG or JPEG, and its colors in eighths. */
export function decode(file: Uint8Array) {
  using image = PhotonImage.new_from_byteslice(file)
  const [width, height, bytes] = [image.get_width(), image.get_height(), image.get_raw_pixels()]
  const readColor = (x: number, y: number) =>
    [0, 1, 2].map((channel) => Math.round((bytes[(y * width + x) * 4 + channel] ?? 0) / 32))
  return { width, height, readColor }
}
