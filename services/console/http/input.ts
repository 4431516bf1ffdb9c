import type { z } from 'zod'
import type { AdminProcedure } from '#admin-api'
import { limits } from '#contracts'
import { type Context, MalformedJson, MalformedParameters, readJsonBody, readParameters } from '#http'
import { AdminFault } from '../procedures/procedure.ts'
import { type FieldError, InvalidInput } from './refusals.ts'

type Fields = Readonly<Record<string, unknown>>

/** Whether the fields that are not in the path stand in a JSON body, else in the query. */
export function hasBody({ method }: Pick<AdminProcedure, 'method'>): boolean {
  return method === 'POST' || method === 'PUT' || method === 'PATCH'
}

/** Reads what a request gives: its path's parameters, and its query or JSON body. */
export async function readInput<S extends z.ZodObject>(
  ctx: Context,
  { method, input }: Pick<AdminProcedure, 'method'> & { readonly input: S },
  of_path: Fields,
): Promise<z.output<S>> {
  const given = hasBody({ method }) ? await readBody(ctx) : readQuery(ctx)
  const twice = Object.keys(of_path).filter((name) => Object.hasOwn(given, name) && given[name] !== of_path[name])
  const [field] = twice
  if (field !== undefined) throw new InvalidInput([{ field, message: 'is another one in the address' }])
  return parseInput(input, { ...given, ...of_path })
}

/** @throws InvalidInput naming each field and what is wrong with it */
export function parseInput<S extends z.ZodObject>(schema: S, given: Fields): z.output<S> {
  const parsed = schema.strict().safeParse(given)
  // A strict object's output is that of the object.
  if (parsed.success) return parsed.data as z.output<S>
  const [first, ...others] = parsed.error.issues.flatMap((issue) => complaints(issue, given))
  if (first === undefined) throw parsed.error
  throw new InvalidInput([first, ...others])
}

/** The JSON object of a body. */
export async function readBody(ctx: Context): Promise<Fields> {
  if (ctx.querystring !== '') {
    throw new AdminFault('invalid_request', { detail: 'Fields belong in the JSON body, not in the query.' })
  }
  const body = await readJsonBody(ctx.req, limits.console_body_bytes).catch((cause: unknown) => {
    if (!(cause instanceof MalformedJson)) throw cause
    throw new AdminFault('invalid_request', { detail: cause.message, cause })
  })
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new AdminFault('invalid_request', { detail: 'The body must be a JSON object.' })
  }
  return { ...body }
}

function readQuery(ctx: Context): Fields {
  try {
    const { values, repeated } = readParameters(ctx.querystring)
    const [field] = repeated
    if (field !== undefined) throw new InvalidInput([{ field, message: 'is given more than once' }])
    return Object.fromEntries(values)
  } catch (cause) {
    if (!(cause instanceof MalformedParameters)) throw cause
    throw new AdminFault('invalid_request', { detail: cause.message, cause })
  }
}

/** What is wrong, in words that need no knowledge of the schema. */
function complaints(issue: z.core.$ZodIssue, given: Fields): FieldError[] {
  const field = issue.path.join('.')
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ field: [...issue.path, key].join('.'), message: 'is not known here' }))
  }
  const value = issue.path.reduce<unknown>((at, step) => Reflect.get(Object(at), step), given)
  return [{ field, message: value === undefined ? 'is missing' : reasonOf(issue) }]
}

const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
}

const formats: Readonly<Record<string, string>> = {
  url: 'an address such as https://www.example.com',
  uuid: 'a UUID',
  hostname: 'a host name such as www.example.com',
  regex: 'of another form',
}

function reasonOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${kinds[issue.expected] ?? issue.expected}`
    case 'invalid_value':
      return `must be ${listed(issue.values)}`
    case 'too_small':
      return issue.origin === 'string' && issue.minimum === 1
        ? 'must not be empty'
        : `must ${measure(issue.origin)} at least ${issue.minimum}${unit(issue.origin)}`
    case 'too_big':
      return `must ${measure(issue.origin)} at most ${issue.maximum}${unit(issue.origin)}`
    case 'invalid_format':
      return issue.message.startsWith('Invalid')
        ? `must be ${formats[issue.format] ?? issue.format}`
        : own(issue.message)
    case 'invalid_union':
      return issue.message.startsWith('Invalid') ? 'has none of the forms it may have' : own(issue.message)
    default:
      return own(issue.message)
  }
}

function measure(origin: string): string {
  return origin === 'string' || origin === 'array' ? 'have' : 'be'
}

function unit(origin: string): string {
  if (origin === 'string') return ' characters'
  return origin === 'array' ? ' entries' : ''
}

function listed(values: readonly unknown[]): string {
  const [last, ...others] = values.map(String).reverse()
  return others.length === 0 ? `${last}` : `one of ${others.reverse().join(', ')} or ${last}`
}

/** A message that a schema of ours brought along, which says what must be. */
function own(message: string): string {
  return message.startsWith('must') || message.startsWith('is ') ? message : `is wrong: ${message}`
}
