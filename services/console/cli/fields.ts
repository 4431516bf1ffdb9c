import { z } from 'zod'
import { type AdminProcedure, helpOf } from '#admin-api'

/** A field of a procedure's input as the command line asks for it. */
export interface Field {
  readonly name: string
  /** Without dashes, e.g. `redirect-uris`. */
  readonly option: string
  /** `map`: text by key; `lists`: lists of texts by key; `maps`: text by two keys. */
  readonly kind: 'text' | 'number' | 'flag' | 'list' | 'map' | 'lists' | 'maps'
  readonly choices: readonly string[]
  readonly required: boolean
  /** What is so without it. */
  readonly default: unknown
  /** May be null, false or empty: `--no-…` says so. */
  readonly can_be_none: boolean
  /** What it is, for people. */
  readonly help: string
  /** Never an argument, as other processes see those: `--<option>-file` names the file it is in. */
  readonly secret: boolean
}

/** Fields whose values are never arguments. */
const secrets = ['client_secret', 'password']

type Schema = z.core.JSONSchema.BaseSchema

/** The fields of the input, those of the path first, as the contract has them. */
export function fieldsOf(procedure: string, { input }: Pick<AdminProcedure, 'input'>): Field[] {
  const told = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })
  const meant = z.toJSONSchema(input, { io: 'output', unrepresentable: 'any' })
  return Object.entries(meant.properties ?? {}).map(([name, property]) => ({
    ...fieldOf(name, isSchema(property) ? property : {}, told.required?.includes(name) ?? false),
    help: helpOf(procedure, name) ?? '',
  }))
}

function fieldOf(name: string, property: Schema, required: boolean): Omit<Field, 'help'> {
  const nullable = property.anyOf?.some((one) => isSchema(one) && one.type === 'null') ?? false
  const schema = nullable ? (property.anyOf?.find((one) => isSchema(one) && one.type !== 'null') ?? {}) : property
  const kind = isSchema(schema) ? kindOf(schema) : 'text'
  const items = isSchema(schema) && kind === 'list' && isSchema(schema.items) ? schema.items : schema
  return {
    name,
    option: name.replaceAll('_', '-'),
    kind,
    choices: isSchema(items) ? (items.enum ?? []).map(String) : [],
    required,
    default: property.default,
    can_be_none:
      nullable || ['flag', 'map', 'lists', 'maps'].includes(kind) || (kind === 'list' && !atLeastOne(schema)),
    secret: secrets.includes(name),
  }
}

function kindOf(schema: Schema): Field['kind'] {
  if (schema.type === 'integer' || schema.type === 'number') return 'number'
  if (schema.type === 'boolean') return 'flag'
  if (schema.type === 'array') return 'list'
  if (schema.type !== 'object') return 'text'
  const values = schema.additionalProperties
  if (!isSchema(values)) return 'map'
  if (values.type === 'array') return 'lists'
  return values.type === 'object' ? 'maps' : 'map'
}

function atLeastOne(schema: unknown): boolean {
  return isSchema(schema) && (schema.minItems ?? 0) > 0
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
