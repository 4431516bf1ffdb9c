import type { z } from 'zod'
import { type AdminProcedure, createReason } from '#admin-api'
import { limits } from '#contracts'
import { type Context, MalformedJson, MalformedParameters, readJson, readParameters } from '#http'
import { AdminFault } from '../admin-fault.ts'
import { listProblems, toProblem } from '../input-problems.ts'

type Fields = Readonly<Record<string, unknown>>

/** Whether the fields that are not in the path are in a JSON body; otherwise they are in the query. */
export function hasBody({ method }: Pick<AdminProcedure, 'method'>): boolean {
  return method === 'POST' || method === 'PUT' || method === 'PATCH'
}

/** Reads the input of a request: path parameters, and query or JSON body. */
export async function readInput<S extends z.ZodObject>(
  ctx: Context,
  {
    method,
    input,
    bodyBytes,
    lossless,
  }: Pick<AdminProcedure, 'method' | 'bodyBytes' | 'lossless'> & { readonly input: S },
  pathParameters: Fields,
): Promise<z.output<S>> {
  const sent = hasBody({ method }) ? await readBody(ctx, { limitBytes: bodyBytes, lossless }) : readQuery(ctx)
  const conflicting = Object.keys(pathParameters).filter(
    (name) => Object.hasOwn(sent, name) && sent[name] !== pathParameters[name],
  )
  const [field] = conflicting
  if (field !== undefined)
    throw new AdminFault('invalid_request', { fields: [{ field, ...toProblem(createReason('differs_from_path')) }] })
  return parseInput(input, { ...sent, ...pathParameters })
}

/** @throws AdminFault `invalid_request` with every invalid field */
export function parseInput<S extends z.ZodObject>(schema: S, given: Fields): z.output<S> {
  const parsed = schema.strict().safeParse(given)
  // The output of the strict object has the type of the object.
  if (parsed.success) return parsed.data as z.output<S>
  const problems = listProblems(parsed.error, given)
  const fields = problems.map(({ path, ...problem }) => ({ field: path.join('.'), ...problem }))
  throw new AdminFault('invalid_request', { fields })
}

interface BodyOptions {
  readonly limitBytes?: number | undefined
  readonly lossless?: boolean | undefined
}

/** The JSON object of a body. */
export async function readBody(
  ctx: Context,
  { limitBytes = limits.console_body_bytes, lossless = false }: BodyOptions = {},
): Promise<Fields> {
  if (ctx.querystring !== '') {
    throw new AdminFault('invalid_request', { detail: 'The request has a query. Send the fields in the JSON body.' })
  }
  const body = await readJson(ctx.req, { limitBytes, lossless }).catch((cause: unknown) => {
    if (!(cause instanceof MalformedJson)) throw cause
    throw new AdminFault('invalid_request', { detail: cause.message, cause })
  })
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new AdminFault('invalid_request', {
      detail: 'The body is not a JSON object. Send the fields as a JSON object.',
    })
  }
  return { ...body }
}

function readQuery(ctx: Context): Fields {
  try {
    const { values, repeated } = readParameters(ctx.querystring)
    const [field] = repeated
    if (field !== undefined)
      throw new AdminFault('invalid_request', { fields: [{ field, ...toProblem(createReason('repeated')) }] })
    return Object.fromEntries(values)
  } catch (cause) {
    if (!(cause instanceof MalformedParameters)) throw cause
    throw new AdminFault('invalid_request', { detail: cause.message, cause })
  }
}
