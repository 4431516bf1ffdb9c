import { type DocumentedValue, flatten } from './documented-values.ts'

type Schema = Readonly<Record<string, unknown>>

/** The JSON Schema (draft 7) of a chart's values. It rejects unknown keys, and every value has a type. */
export function createValuesSchema(values: readonly DocumentedValue[]): Schema {
  const named = flatten(values).filter(({ defines }) => defines !== undefined)
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $comment: 'Made of values.yaml: node deploy/chart/generate.ts',
    ...closed(values),
    definitions: Object.fromEntries(named.map(({ defines, children }) => [defines, closed(children)])),
  }
}

/** The schema of a map with exactly these keys. */
function closed(values: readonly DocumentedValue[]): Schema {
  return {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(values.map((value) => [value.path.at(-1), schemaOfOne(value)])),
  }
}

function schemaOfOne(value: DocumentedValue): Schema {
  const { description, types, one_of, holds, free, defines, like, children } = value
  const reference = defines ?? like
  if (reference !== undefined) return { description, allOf: [{ $ref: `#/definitions/${reference}` }] }
  if (one_of !== undefined) return { description, type: 'string', enum: one_of }
  if (types[0] === 'array') return { description, type: 'array', items: typed(holds ?? 'object') }
  if (holds !== undefined) return { description, type: 'object', additionalProperties: typed(holds) }
  if (free) return { description, type: 'object' }
  if (children.length > 0) return { description, ...closed(children) }
  return { description, type: types.length === 1 ? types[0] : types }
}

/** For text, numbers and booleans are also valid, because they are written as text. */
function typed(type: string): Schema {
  const types = type.split(/,\s*/).flatMap((one) => (one === 'string' ? ['string', 'number', 'boolean'] : [one]))
  return { type: types.length === 1 ? types[0] : types }
}
