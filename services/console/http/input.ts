import type { z } from 'zod'
import { type AdminProcedure, because } from '#admin-api'
import { limits } from '#contracts'
import { type Context, MalformedJson, MalformedParameters, readJson, readParameters } from '#http'
import { complain, complaintsOf } from '../complaints.ts'
import { AdminFault } from '../handlers/admin-fault.ts'

type Fields = Readonly<Record<string, unknown>>

/** Whether the fields that are not in the path stand in a JSON body, else in the query. */
export function hasBody({ method }: Pick<AdminProcedure, 'method'>): boolean {
  return method === 'POST' || method === 'PUT' || method === 'PATCH'
}

/** Reads what a request gives: its path's parameters, and its query or JSON body. */
export async function readInput<S extends z.ZodObject>(
  ctx: Context,
  { method, input }: Pick<AdminProcedure, 'method'> & { readonly input: S },
  ofPath: Fields,
): Promise<z.output<S>> {
  const given = hasBody({ method }) ? await readBody(ctx) : readQuery(ctx)
  const twice = Object.keys(ofPath).filter((name) => Object.hasOwn(given, name) && given[name] !== ofPath[name])
  const [field] = twice
  if (field !== undefined)
    throw new AdminFault('invalid_request', { fields: [{ field, ...complain(because('another_in_address')) }] })
  return parseInput(input, { ...given, ...ofPath })
}

/** @throws AdminFault `invalid_request`, naming each field and what is wrong with it */
export function parseInput<S extends z.ZodObject>(schema: S, given: Fields): z.output<S> {
  const parsed = schema.strict().safeParse(given)
  // A strict object's output is that of the object.
  if (parsed.success) return parsed.data as z.output<S>
  const complaints = complaintsOf(parsed.error, given)
  const fields = complaints.map(({ path, ...complaint }) => ({ field: path.join('.'), ...complaint }))
  throw new AdminFault('invalid_request', { fields })
}

/** The JSON object of a body. */
export async function readBody(ctx: Context): Promise<Fields> {
  if (ctx.querystring !== '') {
    throw new AdminFault('invalid_request', { detail: 'Fields belong in the JSON body, not in the query.' })
  }
  const body = await readJson(ctx.req, limits.console_body_bytes).catch((cause: unknown) => {
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
    if (field !== undefined)
      throw new AdminFault('invalid_request', { fields: [{ field, ...complain(because('twice')) }] })
    return Object.fromEntries(values)
  } catch (cause) {
    if (!(cause instanceof MalformedParameters)) throw cause
    throw new AdminFault('invalid_request', { detail: cause.message, cause })
  }
}
