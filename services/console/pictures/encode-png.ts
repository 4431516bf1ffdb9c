import { crc32, deflateSync } from 'node:zlib'
import type { Pixels } from './pixels.ts'

const signature = Buffer.from('89504e470d0a1a0a', 'hex')
/** Bit depth 8, color type RGBA, the only methods of compression and of filters, and no interlace (PNG, 11.2.1). */
const format = [8, 6, 0, 0, 0]

/**
 * Encodes a PNG without filters of its rows (third edition, section 5). The encoder of the library that decodes pictures makes logos up
 * to 1.7 times as large.
 */
export function encodePng({ bytes, width, height }: Pixels): Buffer {
  const header = Buffer.alloc(8)
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  // Each row begins with the number of its filter: 0, none.
  const rows = Buffer.alloc(height * (1 + 4 * width))
  for (let y = 0; y < height; y++) rows.set(bytes.subarray(y * 4 * width, (y + 1) * 4 * width), y * (1 + 4 * width) + 1)
  return Buffer.concat([
    signature,
    encodeChunk('IHDR', Buffer.from([...header, ...format])),
    encodeChunk('IDAT', deflateSync(rows, { level: 9 })),
    encodeChunk('IEND', Buffer.alloc(0)),
  ])
}

function encodeChunk(type: string, data: Buffer): Buffer {
  const checked = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(checked))
  return Buffer.concat([length, checked, checksum])
}
