import { writeFileSync } from 'node:fs'
import ipaddr from 'ipaddr.js'

/** A record of the search tree: a node, a place in the data, or nothing. */
type Entry = { readonly node: number } | { readonly data: number } | undefined

const recordBytes = 3
/** Between the tree and the data. */
const separator = Buffer.alloc(16)
const metadataMarker = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1')

/**
 * Writes a database of countries in the MMDB format (MaxMind DB File Format Specification 2.0).
 *
 * @param countries ISO code by CIDR block
 */
export function writeCountryDatabase(path: string, countries: Readonly<Record<string, string>>): void {
  const nodes: [Entry, Entry][] = [[undefined, undefined]]
  const values: Buffer[] = []
  for (const [block, code] of Object.entries(countries)) {
    const data = Buffer.concat(values).length
    values.push(encodeMap({ country: encodeMap({ iso_code: encodeText(code) }) }))
    insert(nodes, toBits(block), { data })
  }
  const tree = Buffer.concat(nodes.flat().map((entry) => encodeEntry(entry, nodes.length)))
  const metadata = encodeMap({
    node_count: encodeNumber(6, nodes.length),
    record_size: encodeNumber(5, recordBytes * 8),
    ip_version: encodeNumber(5, 6),
    database_type: encodeText('Test-Country'),
    languages: encodeHeader(11, 0),
    binary_format_major_version: encodeNumber(5, 2),
    binary_format_minor_version: encodeNumber(5, 0),
    build_epoch: encodeNumber(9, 1_900_000_000),
    description: encodeMap({}),
  })
  writeFileSync(path, Buffer.concat([tree, separator, ...values, metadataMarker, metadata]))
}

/** The bits of a block; IPv4 addresses are the last ones of an IPv6 address. */
function toBits(block: string): number[] {
  const [address, length] = ipaddr.parseCIDR(block)
  const bytes = [...Array<number>(16 - address.toByteArray().length).fill(0), ...address.toByteArray()]
  const bits = bytes.flatMap((byte) => Array.from({ length: 8 }, (_, bit) => (byte >> (7 - bit)) & 1))
  return bits.slice(0, 128 - address.toByteArray().length * 8 + length)
}

function insert(nodes: [Entry, Entry][], bits: readonly number[], value: { readonly data: number }): void {
  let node = nodes[0]
  for (const [index, bit] of bits.entries()) {
    const side = bit === 0 ? 0 : 1
    const entry = node?.[side]
    if (node === undefined) return
    if (index === bits.length - 1) node[side] = value
    else if (entry !== undefined && 'node' in entry) node = nodes[entry.node]
    else {
      node[side] = { node: nodes.length }
      node = [undefined, undefined]
      nodes.push(node)
    }
  }
}

function encodeEntry(entry: Entry, nodeCount: number): Buffer {
  const record = Buffer.alloc(recordBytes)
  if (entry === undefined) record.writeUIntBE(nodeCount, 0, recordBytes)
  else if ('node' in entry) record.writeUIntBE(entry.node, 0, recordBytes)
  else record.writeUIntBE(nodeCount + separator.length + entry.data, 0, recordBytes)
  return record
}

/** The control byte of a value of fewer than 29 bytes or entries; types above 7 have another byte. */
function encodeHeader(type: number, size: number): Buffer {
  return type > 7 ? Buffer.from([size, type - 7]) : Buffer.from([(type << 5) | size])
}

function encodeText(text: string): Buffer {
  return Buffer.concat([encodeHeader(2, text.length), Buffer.from(text)])
}

function encodeNumber(type: number, value: number): Buffer {
  const bytes = value < 65_536 ? 2 : 4
  const content = Buffer.alloc(bytes)
  content.writeUIntBE(value, 0, bytes)
  return Buffer.concat([encodeHeader(type, bytes), content])
}

function encodeMap(entries: Readonly<Record<string, Buffer>>): Buffer {
  const pairs = Object.entries(entries)
  return Buffer.concat([encodeHeader(7, pairs.length), ...pairs.flatMap(([name, value]) => [encodeText(name), value])])
}
