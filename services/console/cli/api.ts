import { z } from 'zod'
import {
  type AdminApi,
  type AdminFaultName,
  type AdminProcedure,
  type AdminProcedureName,
  adminApi,
  adminFaults,
  exportFile,
} from '#admin-api'
import { CliError } from './cli-error.ts'
import type { ConsoleConnection } from './connection.ts'
import type { ExitName } from './exit-codes.ts'
import { type AdminRequest, buildRequest, findReadProcedure, needsRevision } from './request.ts'

const deadlineMs = 60_000

const ErrorResponse = z.object({
  error: z.object({
    name: z.string(),
    message: z.string(),
    field: z.string().optional(),
    fields: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
  }),
})

const exits: Record<AdminFaultName, ExitName> = {
  invalid_request: 'usage',
  not_signed_in: 'not_allowed',
  not_allowed: 'not_allowed',
  passkey_required: 'not_allowed',
  not_found: 'not_found',
  conflict: 'conflict',
  revision_mismatch: 'conflict',
  revision_required: 'usage',
  too_many_requests: 'unavailable',
  unavailable: 'unavailable',
  method_not_allowed: 'failed',
  internal_error: 'failed',
}

const advice: Partial<Record<AdminFaultName, string>> = {
  not_signed_in: 'Set SOCIAL_LOGIN_TOKEN to a valid token, or pass a file that contains it with --token-file.',
  passkey_required: 'The command line cannot use passkeys. Use a token that was issued for automation.',
}

/** The Admin API of one console. Errors are thrown as `CliError`. */
export interface Api {
  /** Returns the response unchanged. */
  readonly send: (
    name: AdminProcedureName,
    input: Readonly<Record<string, unknown>>,
    revision?: number,
  ) => Promise<unknown>
  /** Returns the response, parsed with the contract. */
  readonly call: <N extends AdminProcedureName>(
    name: N,
    input: z.input<AdminApi[N]['input']>,
    revision?: number,
  ) => Promise<z.output<AdminApi[N]['output']>>
  /** Returns the file of an export as a stream. */
  readonly fetchExport: (input: z.input<typeof exportFile.input>) => Promise<ReadableStream<Uint8Array>>
}

export function createApi(connection: ConsoleConnection): Api {
  const send: Api['send'] = async (name, input, revision) => {
    const procedure: AdminProcedure = adminApi[name]
    const expected = needsRevision(procedure) ? (revision ?? (await currentRevision(procedure, input))) : undefined
    return await fetchJson(connection, buildRequest(procedure, input), expected)
  }
  const currentRevision = async (procedure: AdminProcedure, input: Readonly<Record<string, unknown>>) => {
    const reading = findReadProcedure(procedure)
    return Versioned.parse(await fetchJson(connection, buildRequest(reading, pickReadInput(reading, input)))).revision
  }
  const call: Api['call'] = async (name, input, revision) => {
    const procedure: AdminProcedure = adminApi[name]
    const parsedBody = procedure.output.safeParse(await send(name, input, revision))
    if (!parsedBody.success)
      throw new CliError(
        'failed',
        'The response of the console does not match this version of the command line. Install the version that matches the console.',
      )
    // Parsed with the output of `name`; TypeScript cannot follow the index.
    return parsedBody.data as z.output<AdminApi[typeof name]['output']>
  }
  const fetchExport: Api['fetchExport'] = async (input) => {
    // No timeout: a large file can take long.
    const response = await fetchResponse(connection, buildRequest(exportFile, input), { signal: null })
    if (!response.ok) throw toFailure(response, parseJson(await response.text()))
    if (response.body === null) throw new CliError('failed', 'The console sent no file.')
    return response.body
  }
  return { send, call, fetchExport }
}

const Versioned = z.object({ revision: z.int() })

/** Picks the input fields of the procedure that reads the resource. */
function pickReadInput(reading: AdminProcedure, input: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.keys(reading.input.shape).map((name) => [name, input[name]]))
}

async function fetchJson(connection: ConsoleConnection, request: AdminRequest, revision?: number): Promise<unknown> {
  const response = await fetchResponse(connection, request, { revision })
  const text = await response.text().catch((error: unknown) => {
    throw toUnavailable(connection.url, error, request.method !== 'GET')
  })
  const answer = parseJson(text)
  if (response.ok && answer !== undefined) return answer
  throw toFailure(response, answer)
}

interface FetchOptions {
  readonly revision?: number | undefined
  readonly signal?: AbortSignal | null
}

function fetchResponse(
  { url, token }: ConsoleConnection,
  { method, path, body }: AdminRequest,
  { revision, signal = AbortSignal.timeout(deadlineMs) }: FetchOptions,
): Promise<Response> {
  return fetch(new URL(path.slice(1), url), {
    method,
    headers: {
      accept: 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/json' }),
      ...(revision !== undefined && { 'if-match': `"${revision}"` }),
    },
    ...(body && { body: JSON.stringify(body) }),
    redirect: 'manual',
    signal,
  }).catch((error: unknown) => {
    throw toUnavailable(url, error, method !== 'GET')
  })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function toUnavailable(url: URL, error: unknown, outcomeUnknown: boolean): CliError {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : undefined
  const isUnsent = code === 'ECONNREFUSED' || code === 'ENOTFOUND'
  const reason = code ?? (error instanceof Error ? error.message : 'unknown reason')
  return new CliError(
    'unavailable',
    `The console at ${url.origin} did not respond (${reason}). Check --url, then try again.`,
    {
      cause: error,
      outcome_unknown: outcomeUnknown && !isUnsent,
    },
  )
}

function toFailure(response: Response, answer: unknown): CliError {
  const parsed = ErrorResponse.safeParse(answer)
  const requestId = response.headers.get('x-request-id')
  if (!parsed.success) {
    const hint = requestId
      ? `The log of the console has details under the request ID ${requestId}.`
      : 'Check that --url is the address of a console.'
    const exit =
      response.status === 503 || response.status === 502 || response.status === 504 ? 'unavailable' : 'failed'
    return new CliError(exit, `The console returned ${response.status} without an error message. ${hint}`, {
      outcome_unknown: response.status >= 500,
    })
  }
  const { name, message, field, fields = [] } = parsed.data.error
  const fault = isFault(name) ? name : undefined
  const sentence = field && !message.includes(field) ? `${field}: ${message}` : message
  const lines = fields.length === 0 ? [sentence] : fields.map((one) => `${one.field} ${one.message}`)
  if (fault && advice[fault]) lines.push(advice[fault])
  if (!fault && requestId) lines.push(`The log of the console has details under the request ID ${requestId}.`)
  return new CliError(fault ? exits[fault] : 'failed', lines.join('\n'), { outcome_unknown: response.status >= 500 })
}

function isFault(name: string): name is AdminFaultName {
  return Object.hasOwn(adminFaults, name)
}
