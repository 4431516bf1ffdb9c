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
import type { Connection } from './connection.ts'
import type { ExitName } from './exit-codes.ts'
import { Failure } from './failure.ts'
import { type AdminRequest, needsRevision, readingOf, requestOf } from './request.ts'

const deadlineMs = 60_000

const Refusal = z.object({
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
  passkey_needed: 'not_allowed',
  not_found: 'not_found',
  conflict: 'conflict',
  changed_meanwhile: 'conflict',
  revision_needed: 'usage',
  too_many_requests: 'unavailable',
  unavailable: 'unavailable',
  method_not_allowed: 'failed',
  internal_error: 'failed',
}

const advice: Partial<Record<AdminFaultName, string>> = {
  not_signed_in: 'Put a valid token into SOCIAL_LOGIN_TOKEN, or name a file that has it with --token-file.',
  passkey_needed: 'The command line has no passkey; use a token that was issued for automation.',
}

/** The Admin API of one console. What is refused is thrown as `Failure`. */
export interface Api {
  /** The answer as it came. */
  readonly send: (
    name: AdminProcedureName,
    input: Readonly<Record<string, unknown>>,
    revision?: number,
  ) => Promise<unknown>
  /** The answer as the contract has it. */
  readonly ask: <N extends AdminProcedureName>(
    name: N,
    input: z.input<AdminApi[N]['input']>,
    revision?: number,
  ) => Promise<z.output<AdminApi[N]['output']>>
  /** The file of an export, while it comes. */
  readonly fetchExport: (input: z.input<typeof exportFile.input>) => Promise<ReadableStream<Uint8Array>>
}

export function apiOf(connection: Connection): Api {
  const send: Api['send'] = async (name, input, revision) => {
    const procedure: AdminProcedure = adminApi[name]
    const expected = needsRevision(procedure) ? (revision ?? (await currentRevision(procedure, input))) : undefined
    return await answerOf(connection, requestOf(procedure, input), expected)
  }
  const currentRevision = async (procedure: AdminProcedure, input: Readonly<Record<string, unknown>>) => {
    const reading = readingOf(procedure)
    return Revised.parse(await answerOf(connection, requestOf(reading, namesOf(reading, input)))).revision
  }
  const ask: Api['ask'] = async (name, input, revision) => {
    const procedure: AdminProcedure = adminApi[name]
    const answer = procedure.output.safeParse(await send(name, input, revision))
    if (!answer.success)
      throw new Failure(
        'failed',
        `The console answered something else than this command line knows; their versions differ.`,
      )
    // The contract of `name` has just parsed it; TypeScript cannot follow the index.
    return answer.data as z.output<AdminApi[typeof name]['output']>
  }
  const fetchExport: Api['fetchExport'] = async (input) => {
    // A large file takes its time, as long as it comes.
    const response = await responseOf(connection, requestOf(exportFile, input), { signal: null })
    if (!response.ok) throw refused(response, json(await response.text()))
    if (response.body === null) throw new Failure('failed', 'The console sent no file.')
    return response.body
  }
  return { send, ask, fetchExport }
}

const Revised = z.object({ revision: z.int() })

/** Only what the reading procedure asks for. */
function namesOf(reading: AdminProcedure, input: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.keys(reading.input.shape).map((name) => [name, input[name]]))
}

async function answerOf(connection: Connection, request: AdminRequest, revision?: number): Promise<unknown> {
  const response = await responseOf(connection, request, { revision })
  const text = await response.text().catch((error: unknown) => {
    throw unreachable(connection.url, error, request.method !== 'GET')
  })
  const answer = json(text)
  if (response.ok && answer !== undefined) return answer
  throw refused(response, answer)
}

interface Asking {
  readonly revision?: number | undefined
  readonly signal?: AbortSignal | null
}

function responseOf(
  { url, token }: Connection,
  { method, path, body }: AdminRequest,
  { revision, signal = AbortSignal.timeout(deadlineMs) }: Asking,
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
    throw unreachable(url, error, method !== 'GET')
  })
}

function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function unreachable(url: URL, error: unknown, outcomeUnknown: boolean): Failure {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : undefined
  const neverSent = code === 'ECONNREFUSED' || code === 'ENOTFOUND'
  const reason = code ?? (error instanceof Error ? error.message : 'unknown reason')
  return new Failure(
    'unavailable',
    `The console at ${url.origin} gave no answer (${reason}). See --url, then try again.`,
    {
      cause: error,
      outcome_unknown: outcomeUnknown && !neverSent,
    },
  )
}

function refused(response: Response, answer: unknown): Failure {
  const refusal = Refusal.safeParse(answer)
  const requestId = response.headers.get('x-request-id')
  if (!refusal.success) {
    const hint = requestId
      ? `Its log has more under the request id ${requestId}.`
      : 'Is --url the address of a console?'
    const exit =
      response.status === 503 || response.status === 502 || response.status === 504 ? 'unavailable' : 'failed'
    return new Failure(exit, `The console answered ${response.status} without saying why. ${hint}`, {
      outcome_unknown: response.status >= 500,
    })
  }
  const { name, message, field, fields = [] } = refusal.data.error
  const fault = isFault(name) ? name : undefined
  const sentence = field && !message.includes(field) ? `${field}: ${message}` : message
  const lines = fields.length === 0 ? [sentence] : fields.map((one) => `${one.field} ${one.message}`)
  if (fault && advice[fault]) lines.push(advice[fault])
  if (!fault && requestId) lines.push(`Its log has more under the request id ${requestId}.`)
  return new Failure(fault ? exits[fault] : 'failed', lines.join('\n'), { outcome_unknown: response.status >= 500 })
}

function isFault(name: string): name is AdminFaultName {
  return Object.hasOwn(adminFaults, name)
}
