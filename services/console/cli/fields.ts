import { z } from 'zod'
import { type AdminProcedure, getFieldHelp } from '#admin-api'

/** An input field of a procedure, as an option of the command line. */
export interface CommandField {
  readonly name: string
  /** Option name without leading dashes, for example `redirect-uris`. */
  readonly option: string
  /** `map`: text by key; `lists`: lists of texts by key; `maps`: text by two keys; `object`: an object in a file. */
  readonly kind: 'text' | 'number' | 'flag' | 'list' | 'map' | 'lists' | 'maps' | 'object'
  readonly choices: readonly string[]
  readonly required: boolean
  /** Value if the option is omitted. */
  readonly default: unknown
  /** Can be null, false or empty, with `--no-…`. */
  readonly can_be_none: boolean
  /** Description for the help. */
  readonly help: string
  /** Not passed as an argument, because other processes can read arguments: `--<option>-file` names a file that contains it. */
  readonly secret: boolean
}

/** Fields whose values are not passed as arguments. */
const secrets = ['api_key', 'chat_url', 'client_secret', 'password', 'private_key', 'target_token']

/**
 * Option names of fields whose own name is that of a general option: `--url` is the address of the console, `--columns` those of
 * printed lists.
 */
const optionNames: Readonly<Record<string, string>> = { url: 'endpoint-url', columns: 'file-columns' }

type Schema = z.core.JSONSchema.BaseSchema

/** Lists the fields of a procedure's input in the order of the contract, path parameters first. */
export function listFields(procedure: Pick<AdminProcedure, 'input' | 'help'>): CommandField[] {
  const { input } = procedure
  const inputSchema = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })
  const outputSchema = z.toJSONSchema(input, { io: 'output', unrepresentable: 'any' })
  return Object.entries(outputSchema.properties ?? {}).map(([name, property]) => ({
    ...toField(name, isSchema(property) ? property : {}, inputSchema.required?.includes(name) ?? false),
    help: getFieldHelp(procedure, name) ?? '',
  }))
}

function toField(name: string, property: Schema, required: boolean): Omit<CommandField, 'help'> {
  const nullable = property.anyOf?.some((one) => isSchema(one) && one.type === 'null') ?? false
  const schema = nullable ? (property.anyOf?.find((one) => isSchema(one) && one.type !== 'null') ?? {}) : property
  const kind = isSchema(schema) ? toKind(schema) : 'text'
  const items = isSchema(schema) && kind === 'list' && isSchema(schema.items) ? schema.items : schema
  return {
    name,
    option: optionNames[name] ?? name.replaceAll('_', '-'),
    kind,
    choices: isSchema(items) ? (items.enum ?? []).map(String) : [],
    required,
    default: property.default,
    can_be_none:
      nullable || ['flag', 'map', 'lists', 'maps'].includes(kind) || (kind === 'list' && !requiresItem(schema)),
    secret: secrets.includes(name),
  }
}

function toKind(schema: Schema): CommandField['kind'] {
  if (schema.type === 'integer' || schema.type === 'number') return 'number'
  if (schema.type === 'boolean') return 'flag'
  if (schema.type === 'array') return 'list'
  if (schema.type !== 'object') return 'text'
  if (schema.properties !== undefined) return 'object'
  const values = schema.additionalProperties
  if (!isSchema(values)) return 'map'
  // Values of any type.
  if (Object.keys(values).length === 0) return 'object'
  if (values.type === 'array') return 'lists'
  return values.type === 'object' ? 'maps' : 'map'
}

function requiresItem(schema: unknown): boolean {
  return isSchema(schema) && (schema.minItems ?? 0) > 0
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
