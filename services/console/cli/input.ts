import { readFile } from 'node:fs/promises'
import { parse } from 'yaml'
import { z } from 'zod'
import type { AdminProcedure } from '#admin-api'
import { isSecretOption, loginProviders } from '#contracts'
import { complaintsOf } from '../complaints.ts'
import { codeOf } from './error-code.ts'
import { Failure } from './failure.ts'
import type { Field } from './fields.ts'
import { type Io, readStdin } from './io.ts'
import { travelsAsText } from './request.ts'

const Given = z.record(z.string(), z.unknown())

/**
 * The input of a procedure from the options that commander has read, and the file of `--input`, which options overrule.
 *
 * @throws Failure `usage`, naming every option that is not as the contract wants it
 */
export async function inputOf(
  procedure: Pick<AdminProcedure, 'input' | 'method'>,
  fields: readonly Field[],
  given: Readonly<Record<string, unknown>>,
  io: Io,
): Promise<Record<string, unknown>> {
  const text = textReader(io)
  const input = typeof given.input === 'string' ? await inputIn(given.input, text, procedure) : {}
  for (const field of fields) {
    const value = given[camelCase(field.option)]
    const file = given[camelCase(`${field.option}-file`)]
    if (field.secret && typeof file === 'string') input[field.name] = await text(file)
    else if (value !== undefined && !field.secret) input[field.name] = await fieldValue(field, value, procedure, text)
  }
  const checked = procedure.input.safeParse(input)
  if (checked.success) return input
  const complaints = complaintsOf(checked.error, input).map(({ path: [name = '', ...below], message }) => {
    const asked = fields.find((field) => field.name === name)
    const option = asked ? `--${asked.option}${asked.secret ? '-file' : ''}` : name
    return `  ${option}${below.length > 0 ? ` (${below.join('.')})` : ''} ${message}`
  })
  throw new Failure('usage', ['The input is not as it should be.', ...complaints].join('\n'))
}

type ReadText = (file: string) => Promise<string>

/** Reads a file, or standard input as `-`; one newline at the end is no part of it. */
function textReader(io: Io): ReadText {
  let stdin: Promise<string> | undefined
  return async (file) => {
    try {
      if (file === '-') stdin ??= readStdin(io)
      return (await (file === '-' && stdin ? stdin : readFile(file, 'utf8'))).replace(/\r?\n$/, '')
    } catch (error) {
      throw new Failure('usage', `${file} cannot be read (${codeOf(error)}).`, { cause: error })
    }
  }
}

async function inputIn(
  file: string,
  text: ReadText,
  { input }: Pick<AdminProcedure, 'input'>,
): Promise<Record<string, unknown>> {
  const written = await text(file)
  const given = Given.safeParse(parsed(file, written))
  if (!given.success) throw new Failure('usage', `--input ${file} must hold one JSON object (or YAML map) of fields.`)
  const unknown = Object.keys(given.data).find((name) => !Object.hasOwn(input.shape, name))
  if (unknown === undefined) return given.data
  throw new Failure(
    'usage',
    `--input ${file} has an unknown field: ${unknown}. Known are ${Object.keys(input.shape).join(', ')}.`,
  )
}

function parsed(file: string, written: string): unknown {
  try {
    return parse(written)
  } catch (error) {
    throw new Failure('usage', `--input ${file}: ${error instanceof Error ? error.message : 'is not JSON'}`)
  }
}

async function fieldValue(
  field: Field,
  value: unknown,
  procedure: Pick<AdminProcedure, 'method'>,
  text: ReadText,
): Promise<unknown> {
  if (value === false && field.kind !== 'flag') return none[field.kind]
  if (travelsAsText(procedure)) return String(value)
  if (field.kind === 'number') return numberOf(field, String(value))
  if (field.kind === 'map') return await mapOf(field, z.array(z.string()).parse(value), text)
  if (field.kind !== 'lists' && field.kind !== 'maps') return value
  const pairs = z
    .array(z.string())
    .parse(value)
    .map((pair) => pairOf(field, pair))
  if (field.kind === 'maps') return mapsOf(pairs)
  return Object.fromEntries(pairs.map(([key, list]) => [key, list === '' ? [] : list.split(',')]))
}

const none = { text: null, number: null, list: [], map: {}, lists: {}, maps: {} } as const

function numberOf({ option }: Field, value: string): number {
  const number = Number(value)
  if (value.trim() === '' || Number.isNaN(number))
    throw new Failure('usage', `--${option}: "${value}" is not a number.`)
  return number
}

/** `key=value` pairs; `key=@file` reads the value from a file, which secret ones must. */
async function mapOf(field: Field, pairs: readonly string[], text: ReadText): Promise<Record<string, string>> {
  const entries = pairs.map(async (pair) => {
    const [key, value] = pairOf(field, pair)
    if (value.startsWith('@')) return [key, await text(value.slice(1))]
    if (!loginProviders.some((provider) => isSecretOption(provider, key)) || value === '') return [key, value]
    throw new Failure(
      'usage',
      `--${field.option} ${key}: a secret is never an argument. Write ${key}=@<file>, or ${key}=@- for standard input.`,
    )
  })
  return Object.fromEntries(await Promise.all(entries))
}

/** Values by two keys, from pairs with both keys, separated by a dot. */
function mapsOf(pairs: readonly [keys: string, value: string][]): Record<string, Record<string, string>> {
  const maps = Object.groupBy(pairs, ([keys]) => keys.slice(0, keys.indexOf('.')))
  const entries = Object.entries(maps).map(([key, own = []]) => [
    key,
    Object.fromEntries(own.map(([keys, value]) => [keys.slice(key.length + 1), value])),
  ])
  return Object.fromEntries(entries)
}

function pairOf({ option, kind }: Field, pair: string): [key: string, value: string] {
  const at = pair.indexOf('=')
  const form = kind === 'maps' ? 'key.key=value' : 'key=value'
  if (at < 1 || (kind === 'maps' && !/^[^.=]+\.[^=]/.test(pair)))
    throw new Failure('usage', `--${option}: "${pair}" should be ${form}.`)
  return [pair.slice(0, at), pair.slice(at + 1)]
}

/** As commander names an option's value. */
function camelCase(option: string): string {
  return option.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
}
