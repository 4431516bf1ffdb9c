import { adminFaults } from 'virtual:contract'
import type { AdminFaultName } from '#admin-api'
import { loadReasonTexts, type TranslateReason } from '../texts/reasons.ts'

/** A failed request: an error of the Admin API, `unreachable` without a response, or `unexpected` for any other response. */
export class RequestFault extends Error {
  override readonly name = 'RequestFault'
  readonly fault: AdminFaultName | 'unreachable' | 'unexpected'
  /** Invalid input fields by path, for example `redirect_uris.0`. */
  readonly fields: readonly { readonly field: string; readonly message: string }[]
  readonly requestId: string | null
  /** Name of the reason, if the service sent one. */
  readonly reason: string | null

  constructor(
    fault: RequestFault['fault'],
    message: string,
    fields: RequestFault['fields'] = [],
    requestId: string | null = null,
    reason: string | null = null,
  ) {
    super(message)
    this.fault = fault
    this.fields = fields
    this.requestId = requestId
    this.reason = reason
  }
}

/** The user cancelled, so no error is shown. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled'
}

/** Parses an error response of the Admin API. */
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
  const translate = await loadReasonTexts()
  const message = formatFaultMessage(error, translate)
  const fieldErrors = Array.isArray(error.fields) ? error.fields.filter(isRecord) : []
  const fields = fieldErrors.map((one) => ({ field: String(one.field), message: formatFaultMessage(one, translate) }))
  if (fields.length === 0 && typeof error.field === 'string') fields.push({ field: error.field, message })
  // The page has its own translation of the default message.
  const defaultMessage = new Map(Object.entries(adminFaults)).get(error.name)?.message
  // A newer service can send unknown names; the page then shows the message.
  const shown = message === defaultMessage ? '' : message
  const reason = typeof error.reason === 'string' ? error.reason : null
  return new RequestFault(error.name as AdminFaultName, shown, fields, requestId, reason)
}

/** Returns the message in the language of the page if the reason is known, otherwise the message of the service. */
export function formatFaultMessage(
  { message, reason, parameters }: Record<string, unknown>,
  translate: TranslateReason,
): string {
  const values = Object.entries(isRecord(parameters) ? parameters : {})
  const text = translate(String(reason), Object.fromEntries(values.map(([name, value]) => [name, String(value ?? '')])))
  return text ?? String(message ?? '')
}

/** Whether the service, or a part of it, could not be reached. */
export function isOutageFault({ fault }: RequestFault): boolean {
  return fault === 'unavailable' || fault === 'unreachable'
}

/** Faults for which a retry returns the same result. */
const notRetryable: ReadonlySet<string> = new Set(['not_found', 'not_allowed', 'invalid_request'])

export const isRetryable = ({ fault }: RequestFault): boolean => !notRetryable.has(fault)

/** What the service says about a fault: the invalid fields, or else its message. */
export function listDetails({ fields, message }: RequestFault): string[] {
  if (fields.length > 0) return fields.map((one) => `${one.field}: ${one.message}`)
  return message === '' ? [] : [message]
}

export function toFault(error: unknown): RequestFault {
  if (error instanceof RequestFault) return error
  return new RequestFault('unexpected', error instanceof Error ? error.message : String(error))
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
