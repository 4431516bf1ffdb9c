import { type DocumentedValue, flatten } from './documented-values.ts'
import type { Renamed } from './renamed-values.ts'

type Schema = Readonly<Record<string, unknown>>

/**
 * The JSON Schema of a chart's values: closed, and every value has its type. What went away may be anything, since it is the chart's
 * own sentence that refuses it and tells what took its place.
 */
export function schemaOf(values: readonly DocumentedValue[], renamed: readonly Renamed[] = []): Schema {
  const named = flatten(values).filter(({ defines }) => defines !== undefined)
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $comment: 'Made of values.yaml: node deploy/chart/generate.ts',
    ...closed(values, [], renamed),
    definitions: Object.fromEntries(
      named.map(({ defines, children, path }) => [defines, closed(children, path, renamed)]),
    ),
  }
}

/** The schema of a map with these values in it. Arguments: they, the path of the map, values that went away. */
function closed(values: readonly DocumentedValue[], above: readonly string[], renamed: readonly Renamed[]): Schema {
  const gone = renamed
    .map(({ value, since }) => ({ path: value.split('.'), since }))
    .filter(({ path }) => path.slice(0, -1).join('.') === above.join('.'))
  return {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries([
      ...values.map((value) => [value.path.at(-1), schemaOfOne(value, renamed)]),
      ...gone.map(({ path, since }) => [path.at(-1), { description: `Went away in ${since}.` }]),
    ]),
  }
}

function schemaOfOne(value: DocumentedValue, renamed: readonly Renamed[]): Schema {
  const { description, types, one_of, holds, free, defines, like, children } = value
  const reference = defines ?? like
  if (reference !== undefined) return { description, allOf: [{ $ref: `#/definitions/${reference}` }] }
  if (one_of !== undefined) return { description, type: 'string', enum: one_of }
  if (types[0] === 'array') return { description, type: 'array', items: typed(holds ?? 'object') }
  if (holds !== undefined) return { description, type: 'object', additionalProperties: typed(holds) }
  if (free) return { description, type: 'object' }
  if (children.length > 0) return { description, ...closed(children, value.path, renamed) }
  return { description, type: types.length === 1 ? types[0] : types }
}

/** Of text, numbers and booleans do as well: they are written as text. */
function typed(type: string): Schema {
  return { type: type === 'string' ? ['string', 'number', 'boolean'] : type }
}
