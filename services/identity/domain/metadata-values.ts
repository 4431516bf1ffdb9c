import { limits, type Metadata, parseMetadataCondition, readMetadataPath } from '#contracts'

/** A value of metadata as text, by which users are found. */
export interface MetadataValue {
  readonly path: string
  readonly value: string
}

/** The values at paths: texts, numbers and booleans, and those in lists. Texts that no condition can have are left out. */
export function listMetadataValues(metadata: Metadata, paths: readonly string[]): MetadataValue[] {
  return paths.flatMap((path) => {
    const atPath = readMetadataPath(metadata, path)
    const values = (Array.isArray(atPath) ? atPath : [atPath]).flatMap(toText)
    return [...new Set(values)].map((value) => ({ path, value }))
  })
}

function toText(value: unknown): string[] {
  if (typeof value === 'number' || typeof value === 'boolean') return [String(value)]
  if (typeof value !== 'string' || value === '' || value.length > limits.metadata_search_characters) return []
  return [value]
}

/** What a condition matches. */
export interface MetadataMatch {
  readonly part: string
  /** Names of members that lead to the value. */
  readonly names: readonly string[]
  readonly path: string
  /** As JSON, and as texts of the index: a number matches the number and the text that looks like it. */
  readonly values: readonly { readonly json: string; readonly text: string }[]
}

export function toMetadataMatch(condition: string): MetadataMatch {
  const { path, value } = parseMetadataCondition(condition)
  const [part = '', ...names] = path.split('.')
  const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(value) ? Number(value) : Number.NaN
  const values = [{ json: JSON.stringify(value), text: value }]
  if (value === 'true' || value === 'false') values.push({ json: value, text: value })
  if (Number.isFinite(number)) values.push({ json: JSON.stringify(number), text: String(number) })
  return { part, names, path, values }
}
