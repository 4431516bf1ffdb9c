import { limits } from '#contracts'

/** Why a schema is rejected, and where. */
export class SchemaProblem extends Error {
  override readonly name = 'SchemaProblem'
  /** JSON Pointer (RFC 6901) into the schema; empty for the whole. */
  readonly place: string
  constructor(place: string, message: string) {
    super(message)
    this.place = place
  }
}

type Schema = Readonly<Record<string, unknown>>

/** Keywords whose values are schemas, lists of schemas, or schemas by name. */
const ofSchema = [
  'additionalProperties',
  'contains',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
]
const ofSchemaList = ['allOf', 'anyOf', 'oneOf', 'prefixItems']
const ofSchemaMap = ['$defs', 'dependentSchemas', 'properties']

/** Keywords whose cost has no bound, or that another schema could be reached by. */
const unsupported: ReadonlyMap<string, string> = new Map([
  ...['pattern', 'patternProperties'].map((keyword): [string, string] => [
    keyword,
    'is not supported, because a regular expression can take unlimited time. Use enum, minLength or maxLength.',
  ]),
  ['uniqueItems', 'is not supported, because its time grows with the square of the list. Use maxItems.'],
  ...['$anchor', '$dynamicAnchor', '$dynamicRef', '$id', '$vocabulary', 'definitions', 'dependencies'].map(
    (keyword): [string, string] => [keyword, 'is not supported. Use $defs and $ref.'],
  ),
])

/**
 * Requires that a validation takes a bounded time: at most `metadata_schema_values` values, counting each time that a `$ref`
 * refers to them. Each of them is applied to a place of the metadata at most once.
 *
 * @throws SchemaProblem also for a keyword that is not known or not supported
 */
export function checkSchemaCost(schema: Schema, isKnown: (keyword: string) => boolean): void {
  const definitions = toObject(schema.$defs)
  const costs = new Map<string, number>()
  const open = new Set<string>()

  function costOf(value: unknown, place: string): number {
    if (!isObject(value)) return 1
    return 1 + Object.entries(value).reduce((sum, [keyword, of]) => sum + costOfKeyword(keyword, of, place), 0)
  }

  function costOfKeyword(keyword: string, value: unknown, parent: string): number {
    const place = `${parent}/${keyword}`
    const reason = unsupported.get(keyword) ?? (isKnown(keyword) ? undefined : 'is not a keyword of JSON Schema')
    if (reason !== undefined) throw new SchemaProblem(place, reason)
    if (keyword === '$ref') return costOfReference(String(value), place)
    if (ofSchema.includes(keyword)) return costOf(value, place)
    if (ofSchemaList.includes(keyword) || ofSchemaMap.includes(keyword)) {
      const costs = Object.entries(Object(value)).map(([name, part]) => costOf(part, `${place}/${name}`))
      // Definitions cost where they are used.
      return keyword === '$defs' ? 0 : costs.reduce((sum, cost) => sum + cost, 0)
    }
    return countValues(value)
  }

  function costOfReference(reference: string, place: string): number {
    const [, name] = /^#\/\$defs\/([^/~%]+)$/.exec(reference) ?? []
    if (name === undefined || !Object.hasOwn(definitions, name))
      throw new SchemaProblem(place, 'must refer to a definition of this schema, such as #/$defs/name')
    if (open.has(name)) throw new SchemaProblem(place, 'refers to itself, which is not supported')
    const known = costs.get(name)
    if (known !== undefined) return known
    open.add(name)
    const cost = costOf(definitions[name], `/$defs/${name}`)
    open.delete(name)
    costs.set(name, cost)
    return cost
  }

  if (costOf(schema, '') > limits.metadata_schema_values)
    throw new SchemaProblem('', `has more than ${limits.metadata_schema_values} values, counted at each $ref`)
}

function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce<number>((sum, part) => sum + countValues(part), 1)
}

function toObject(value: unknown): Schema {
  return isObject(value) ? value : {}
}

function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
