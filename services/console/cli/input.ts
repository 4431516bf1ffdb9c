import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import type { AdminProcedure } from '#admin-api'
import { builtInLoginProviders, isSecretOption } from '#contracts'
import { listProblems } from '../input-problems.ts'
import { CliError } from './cli-error.ts'
import { getErrorCode } from './error-code.ts'
import type { CommandField } from './fields.ts'
import { type Io, readStdin } from './io.ts'
import { parseLosslessYaml } from './parse-lossless-yaml.ts'
import { usesQuery } from './request.ts'

const Fields = z.record(z.string(), z.unknown())

/**
 * Reads the input of a procedure from the parsed options and the file of `--input`. Options override the file.
 *
 * @throws CliError `usage` with every invalid option
 */
export async function readCommandInput(
  procedure: Pick<AdminProcedure, 'input' | 'method'>,
  fields: readonly CommandField[],
  options: Readonly<Record<string, unknown>>,
  io: Io,
): Promise<Record<string, unknown>> {
  const text = createTextReader(io)
  const input = typeof options.input === 'string' ? await readInputFile(options.input, text, procedure) : {}
  for (const field of fields) {
    const value = options[toCamelCase(field.option)]
    const file = options[toCamelCase(`${field.option}-file`)]
    if (field.secret && typeof file === 'string') input[field.name] = await text(file)
    else if (value !== undefined && !field.secret)
      input[field.name] = await parseFieldValue(field, value, procedure, text)
  }
  const checked = procedure.input.safeParse(input)
  if (checked.success) return input
  const problems = listProblems(checked.error, input).map(({ path: [name = '', ...below], message }) => {
    const known = fields.find((field) => field.name === name)
    const option = known ? `--${known.option}${known.secret ? '-file' : ''}` : name
    return `  ${option}${below.length > 0 ? ` (${below.join('.')})` : ''} ${message}`
  })
  throw new CliError('usage', ['The input is invalid. Fix these options:', ...problems].join('\n'))
}

type ReadText = (file: string) => Promise<string>

/** Reads a file, or standard input for `-`, without one trailing newline. */
function createTextReader(io: Io): ReadText {
  let stdin: Promise<string> | undefined
  return async (file) => {
    try {
      if (file === '-') stdin ??= readStdin(io)
      return (await (file === '-' && stdin ? stdin : readFile(file, 'utf8'))).replace(/\r?\n$/, '')
    } catch (error) {
      throw new CliError('usage', `${file} cannot be read (${getErrorCode(error)}).`, { cause: error })
    }
  }
}

async function readInputFile(
  file: string,
  text: ReadText,
  { input }: Pick<AdminProcedure, 'input'>,
): Promise<Record<string, unknown>> {
  const written = await text(file)
  const parsed = Fields.safeParse(parseText('input', file, written))
  if (!parsed.success)
    throw new CliError(
      'usage',
      `--input ${file} does not contain a JSON object or YAML map. Write the fields as one object.`,
    )
  const unknown = Object.keys(parsed.data).find((name) => !Object.hasOwn(input.shape, name))
  if (unknown === undefined) return parsed.data
  throw new CliError(
    'usage',
    `--input ${file} has an unknown field: ${unknown}. Known fields: ${Object.keys(input.shape).join(', ')}.`,
  )
}

function parseText(option: string, file: string, written: string): unknown {
  try {
    return parseLosslessYaml(written)
  } catch (error) {
    throw new CliError('usage', `--${option} ${file}: ${error instanceof Error ? error.message : 'is not JSON'}`)
  }
}

async function parseFieldValue(
  field: CommandField,
  value: unknown,
  procedure: Pick<AdminProcedure, 'method'>,
  text: ReadText,
): Promise<unknown> {
  if (value === false && field.kind !== 'flag') return emptyValues[field.kind]
  if (usesQuery(procedure)) return String(value)
  if (field.kind === 'number') return parseNumber(field, String(value))
  if (field.kind === 'map') return await parseMap(field, z.array(z.string()).parse(value), text)
  if (field.kind === 'object') return await readObject(field, String(value), text)
  if (field.kind !== 'lists' && field.kind !== 'maps') return value
  const pairs = z
    .array(z.string())
    .parse(value)
    .map((pair) => splitPair(field, pair))
  if (field.kind === 'maps') return parseNestedMap(pairs)
  return Object.fromEntries(pairs.map(([key, list]) => [key, list === '' ? [] : list.split(',')]))
}

const emptyValues = { text: null, number: null, list: [], map: {}, lists: {}, maps: {}, object: null } as const

/** Reads an object from a file of JSON or YAML. */
async function readObject({ option }: CommandField, file: string, text: ReadText): Promise<unknown> {
  const parsed = Fields.safeParse(parseText(option, file, await text(file)))
  if (parsed.success) return parsed.data
  throw new CliError('usage', `--${option} ${file} does not contain a JSON object or YAML map.`)
}

function parseNumber({ option }: CommandField, value: string): number {
  const number = Number(value)
  if (value.trim() === '' || Number.isNaN(number))
    throw new CliError('usage', `--${option}: "${value}" is not a number.`)
  return number
}

/** Parses `key=value` pairs. `key=@file` reads the value from a file, which is required for secrets. */
async function parseMap(
  field: CommandField,
  pairs: readonly string[],
  text: ReadText,
): Promise<Record<string, string>> {
  const entries = pairs.map(async (pair) => {
    const [key, value] = splitPair(field, pair)
    if (value.startsWith('@')) return [key, await text(value.slice(1))]
    if (!builtInLoginProviders.some((provider) => isSecretOption(provider, key)) || value === '') return [key, value]
    throw new CliError(
      'usage',
      `--${field.option} ${key}: a secret cannot be passed as an argument. Write ${key}=@<file>, or ${key}=@- for standard input.`,
    )
  })
  return Object.fromEntries(await Promise.all(entries))
}

/** Parses pairs with two keys that are separated by a dot. */
function parseNestedMap(pairs: readonly [keys: string, value: string][]): Record<string, Record<string, string>> {
  const maps = Object.groupBy(pairs, ([keys]) => keys.slice(0, keys.indexOf('.')))
  const entries = Object.entries(maps).map(([key, own = []]) => [
    key,
    Object.fromEntries(own.map(([keys, value]) => [keys.slice(key.length + 1), value])),
  ])
  return Object.fromEntries(entries)
}

function splitPair({ option, kind }: CommandField, pair: string): [key: string, value: string] {
  const at = pair.indexOf('=')
  const form = kind === 'maps' ? 'key.key=value' : 'key=value'
  if (at < 1 || (kind === 'maps' && !/^[^.=]+\.[^=]/.test(pair)))
    throw new CliError('usage', `--${option}: "${pair}" should be ${form}.`)
  return [pair.slice(0, at), pair.slice(at + 1)]
}

/** Converts an option name to the property name of commander. */
function toCamelCase(option: string): string {
  return option.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}
