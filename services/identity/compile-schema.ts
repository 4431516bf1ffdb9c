import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import { limits, type MetadataPart, type MetadataSchema, type SchemaViolation } from '#contracts'
import { checkSchemaCost, SchemaProblem } from './domain/metadata-schema-cost.ts'

/** Returns where a part does not match a schema; undefined if it does. */
export type FindViolation = (part: MetadataPart) => SchemaViolation | undefined

const settings = {
  // Unknown keywords are rejected, so that typing errors are found. The other strict checks are about style.
  strictSchema: true,
  strictTypes: false,
  strictTuples: false,
  strictRequired: false,
  // An annotation, as by default in draft 2020-12.
  validateFormats: false,
  // Members that every object inherits do not count.
  ownProperties: true,
  logger: false,
} as const

const draft = 'https://json-schema.org/draft/2020-12/schema'

/** Keywords that the compiler knows without a rule. */
const annotations: ReadonlySet<string> = new Set([
  '$defs',
  '$schema',
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  'contentEncoding',
  'contentMediaType',
  'contentSchema',
])

/**
 * Compiles a schema (JSON Schema draft 2020-12). Each has its own compiler, which is freed with it.
 *
 * @throws SchemaProblem with the place of the first problem
 */
export function compileSchema(schema: MetadataSchema): FindViolation {
  const ajv = new Ajv2020(settings)
  const { $schema: dialect = draft } = schema
  if (dialect !== draft) throw new SchemaProblem('/$schema', `must be ${draft}`)
  if (!ajv.validateSchema(schema)) {
    const [error] = ajv.errors ?? []
    throw new SchemaProblem(error?.instancePath ?? '', error?.message ?? 'is not a JSON Schema')
  }
  checkSchemaCost(schema, (keyword) => annotations.has(keyword) || ajv.getKeyword(keyword) !== false)
  try {
    const validate = ajv.compile(schema)
    return (part) => (validate(part) ? undefined : toViolation(validate.errors ?? []))
  } catch (error) {
    throw new SchemaProblem('', error instanceof Error ? error.message : 'cannot be compiled')
  }
}

/** The last error is the outermost: that of `anyOf`, not of one of its branches. */
function toViolation(errors: readonly ErrorObject[]): SchemaViolation {
  const error = errors.at(-1)
  const member: unknown =
    error?.params.additionalProperty ?? error?.params.unevaluatedProperty ?? error?.params.missingProperty
  const pointer = (error?.instancePath ?? '') + (typeof member === 'string' ? `/${escapePointer(member)}` : '')
  const place = pointer.replaceAll(/\p{Cc}/gu, '�').slice(0, limits.metadata_place_characters)
  return { place: place === '' ? '/' : place, rule: error?.keyword ?? 'false' }
}

/** A member as a part of a JSON Pointer (RFC 6901, 3). */
function escapePointer(member: string): string {
  return member.replaceAll('~', '~0').replaceAll('/', '~1')
}
