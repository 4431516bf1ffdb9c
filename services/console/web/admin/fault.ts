import { adminFaults } from 'virtual:contract'
import type { AdminFaultName } from '#admin-api'
import { translateReason } from '../texts/index.tsx'

/** A failed request: the Admin API's refusal, `unreachable` without an answer, or `broken` when the answer is not the Admin API's. */
export class RequestFault extends Error {
  override readonly name = 'RequestFault'
  readonly fault: AdminFaultName | 'unreachable' | 'unexpected'
  /** What is wrong with which field of the input, by the field's path, e.g. `redirect_uris.0`. */
  readonly fields: readonly { readonly field: string; readonly message: string }[]
  readonly requestId: string | null

  constructor(
    fault: RequestFault['fault'],
    message: string,
    fields: RequestFault['fields'] = [],
    requestId: string | null = null,
  ) {
    super(message)
    this.fault = fault
    this.fields = fields
    this.requestId = requestId
  }
}

/** A person thought better of it: nothing is to be shown. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled'
}

/** Of an answer that is no success: the Admin API's refusal, if it is one. */
export async function parseFault(response: Response): Promise<RequestFault> {
  const requestId = response.headers.get('x-request-id')
  const body: unknown = await response.json().catch(() => null)
  const error = isRecord(body) && isRecord(body.error) ? body.error : undefined
  if (error === undefined || typeof error.name !== 'string') {
    const isUnavailable = response.status >= 502 && response.status <= 504
    return new RequestFault(
      isUnavailable ? 'unavailable' : 'unexpected',
      `${response.status} ${response.statusText}`,
      [],
      requestId,
    )
  }
  const message = formatFaultMessage(error)
  const fieldErrors = Array.isArray(error.fields) ? error.fields.filter(isRecord) : []
  const fields = fieldErrors.map((one) => ({ field: String(one.field), message: formatFaultMessage(one) }))
  if (fields.length === 0 && typeof error.field === 'string') fields.push({ field: error.field, message })
  // What is said of every such fault the page says itself, in its language.
  const defaultMessage = new Map(Object.entries(adminFaults)).get(error.name)?.message
  // Names of faults are the contract's; one that a newer service has added is shown by its message.
  return new RequestFault(error.name as AdminFaultName, message === defaultMessage ? '' : message, fields, requestId)
}

/** What the service says: in the language of the page where it names the reason, else in its own words. */
export function formatFaultMessage({ message, reason, parameters }: Record<string, unknown>): string {
  const values = Object.entries(isRecord(parameters) ? parameters : {})
  const text = translateReason(
    String(reason),
    Object.fromEntries(values.map(([name, value]) => [name, String(value ?? '')])),
  )
  return text ?? String(message ?? '')
}

export function toFault(error: unknown): RequestFault {
  if (error instanceof RequestFault) return error
  return new RequestFault('unexpected', error instanceof Error ? error.message : String(error))
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
