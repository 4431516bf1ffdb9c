import { isMap, isScalar, parseDocument, type YAMLMap } from 'yaml'

/** A value of a chart as `values.yaml` documents it. */
export interface DocumentedValue {
  /** Keys from the top, `settings.webApiUrl` as two. */
  readonly path: readonly string[]
  readonly description: string
  /** The default. */
  readonly initial: unknown
  /** Types of JSON Schema it may have. */
  readonly types: readonly string[]
  readonly one_of?: readonly string[]
  /** Type of the items of a list, or of the values of a map with any keys. */
  readonly holds?: string
  /** A Kubernetes object, whose keys the chart does not define. */
  readonly free?: boolean
  /** The name of its shape, which other values can refer to. */
  readonly defines?: string
  readonly like?: string
  /** Its values, if the chart defines its keys. */
  readonly children: readonly DocumentedValue[]
}

/**
 * Reads a chart's `values.yaml`. A comment `# -- <sentence>` of one or more lines precedes each key, and, where
 * the initial value does not show the type, lines with `@type a, b` (in addition to null), `@enum a, b`, `@map type`, `@list type`, `@object`,
 * `@def name` and `@like name`.
 *
 * @throws Error that names a key without documentation or type
 */
export function readDocumentedValues(text: string): readonly DocumentedValue[] {
  const document = parseDocument(text)
  if (document.errors.length > 0) throw document.errors[0] ?? new Error('not YAML')
  if (!isMap(document.contents)) throw new Error('values.yaml holds no map')
  return readMap(document.contents, [], undefined)
}

function readMap(map: YAMLMap, above: readonly string[], like: string | undefined): readonly DocumentedValue[] {
  return map.items.map((item, index) => {
    if (!isScalar(item.key)) throw new Error(`A key of ${above.join('.')} is no text.`)
    const path = [...above, String(item.key.value)]
    // The comment of a map's first key precedes the map itself.
    const comment = item.key.commentBefore ?? (index === 0 ? map.commentBefore : undefined) ?? ''
    return readValue(path, lastParagraph(comment), { node: item.value, like })
  })
}

function lastParagraph(comment: string): string {
  return comment.split(/\n\s*\n/).at(-1) ?? ''
}

function readValue(
  path: readonly string[],
  comment: string,
  { node, like: inherited }: { node: unknown; like: string | undefined },
): DocumentedValue {
  const lines = comment.split('\n').map((line) => line.trim())
  const notes = new Map(
    lines
      .filter((line) => line.startsWith('@'))
      .map((line) => [/^@(\w+)/.exec(line)?.[1] ?? '', line.replace(/^@\w+\s*/, '')]),
  )
  const begins = lines.findIndex((line) => line.startsWith('-- '))
  const name = path.join('.')
  const like = notes.get('like')
  if (begins < 0) throw new Error(`${name} is not documented: a comment "# -- …" before it is missing.`)
  const description = lines
    .slice(begins)
    .filter((line) => !line.startsWith('@'))
    .join(' ')
    .slice(3)

  const initial: unknown = isMap(node) ? node.toJSON() : isNode(node) ? node.toJSON() : null
  const base = { path, description, initial, children: [] }
  const split = (text: string) => text.split(/,\s*/)
  if (like !== undefined) return { ...base, types: ['object'], like }
  const oneOf = notes.get('enum')
  if (oneOf !== undefined) return { ...base, types: ['string'], one_of: split(oneOf) }
  const mapOf = notes.get('map')
  if (mapOf !== undefined) return { ...base, types: ['object'], holds: mapOf }
  const listOf = notes.get('list')
  if (listOf !== undefined) return { ...base, types: ['array'], holds: listOf }
  if (notes.has('object')) return { ...base, types: ['object'], free: true }
  const types = notes.get('type')
  if (types !== undefined) return { ...base, types: [...split(types), ...(initial === null ? ['null'] : [])] }
  if (isMap(node)) {
    const defines = notes.get('def')
    const children = readMap(node, path, inherited)
    if (children.length === 0) throw new Error(`${name} is an empty map: say what it holds by @map or @object.`)
    return { ...base, types: ['object'], children, ...(defines === undefined ? {} : { defines }) }
  }
  return { ...base, types: [typeOf(initial, name)] }
}

function isNode(node: unknown): node is { toJSON(): unknown } {
  return typeof node === 'object' && node !== null && 'toJSON' in node
}

function typeOf(initial: unknown, name: string): string {
  if (typeof initial === 'string' || typeof initial === 'boolean') return typeof initial
  if (typeof initial === 'number') return Number.isInteger(initial) ? 'integer' : 'number'
  throw new Error(`The type of ${name} is unknown. Declare it with @type, @map, @list or @object.`)
}

/** All values, parents before their children. */
export function flatten(values: readonly DocumentedValue[]): readonly DocumentedValue[] {
  return values.flatMap((value) => [value, ...flatten(value.children)])
}
