import { adminFaults } from 'virtual:contract'
import type { AdminFaultName } from '#admin-api'
import { reasonText } from '../texts/index.tsx'

/** A refusal, of the Admin API or of what lies between: `unreachable` when no answer came at all, `broken` when it was none of ours. */
export class Fault extends Error {
  override readonly name = 'Fault'
  readonly fault: AdminFaultName | 'unreachable' | 'broken'
  /** What is wrong with which field of the input, by the field's path, e.g. `redirect_uris.0`. */
  readonly fields: readonly { readonly field: string; readonly message: string }[]
  readonly request_id: string | null

  constructor(fault: Fault['fault'], message: string, fields: Fault['fields'] = [], request_id: string | null = null) {
    super(message)
    this.fault = fault
    this.fields = fields
    this.request_id = request_id
  }
}

/** A person thought better of it: nothing is to be shown. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled'
}

/** Of an answer that is no success: the Admin API's refusal, if it is one. */
export async function faultOf(response: Response): Promise<Fault> {
  const request_id = response.headers.get('x-request-id')
  const body: unknown = await response.json().catch(() => null)
  const error = isRecord(body) && isRecord(body.error) ? body.error : undefined
  if (error === undefined || typeof error.name !== 'string') {
    const away = response.status >= 502 && response.status <= 504
    return new Fault(away ? 'unavailable' : 'broken', `${response.status} ${response.statusText}`, [], request_id)
  }
  const message = sayingOf(error)
  const several = Array.isArray(error.fields) ? error.fields.filter(isRecord) : []
  const fields = several.map((one) => ({ field: String(one.field), message: sayingOf(one) }))
  if (fields.length === 0 && typeof error.field === 'string') fields.push({ field: error.field, message })
  // What is said of every such fault the page says itself, in its language.
  const usual = new Map(Object.entries(adminFaults)).get(error.name)?.message
  // Names of faults are the contract's; one that a newer service has added is shown by its message.
  return new Fault(error.name as AdminFaultName, message === usual ? '' : message, fields, request_id)
}

/** What the service says: in the language of the page where it names the reason, else in its own words. */
export function sayingOf({ message, reason, parameters }: Record<string, unknown>): string {
  const given = Object.entries(isRecord(parameters) ? parameters : {})
  const text = reasonText(String(reason), Object.fromEntries(given.map(([name, value]) => [name, String(value ?? '')])))
  return text ?? String(message ?? '')
}

export function faultFrom(error: unknown): Fault {
  if (error instanceof Fault) return error
  return new Fault('broken', error instanceof Error ? error.message : String(error))
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
