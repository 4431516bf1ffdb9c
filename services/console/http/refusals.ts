import { type AdminFaultName, type AdminReason, adminFaults } from '#admin-api'
import { Fault, type FaultName, limits } from '#contracts'
import { isDatabaseUnavailable } from '#database'
import type { Context } from '#http'
import { toldInWords } from '../complaints.ts'
import { AdminFault, type FieldError } from '../handlers/admin-fault.ts'

/** Faults of asked services that need no translation. */
const ofServices: Partial<Record<FaultName, AdminFaultName>> = {
  unavailable: 'unavailable',
  entity_not_found: 'not_found',
  changed_meanwhile: 'changed_meanwhile',
  already_exists: 'conflict',
}

/** The refusal that an error means; undefined for a defect. */
export function refusalOf(error: unknown): AdminFault | undefined {
  if (error instanceof AdminFault) return error
  if (isDatabaseUnavailable(error)) return new AdminFault('unavailable', { cause: error })
  if (error instanceof Fault && error.fault === 'invalid_parameter') {
    const fields = error.fields.map(({ field, reason }) => ({ field, ...toldInWords(reason) }))
    return new AdminFault('invalid_request', { fields, cause: error })
  }
  const name = error instanceof Fault ? ofServices[error.fault] : undefined
  return name === undefined ? undefined : new AdminFault(name, { cause: error })
}

export function answerRefusal(ctx: Context, refusal: AdminFault): void {
  const { fault, message, field, fields } = refusal
  ctx.status = adminFaults[fault].status
  if (fault === 'not_signed_in') ctx.set('WWW-Authenticate', 'Bearer')
  if (fault === 'unavailable') ctx.set('Retry-After', String(limits.retry_after_seconds))
  ctx.body = {
    error: {
      name: fault,
      message,
      ...(field === undefined ? {} : { field }),
      ...told(refusal.reason),
      ...(fields.length === 0 ? {} : { fields: fields.map(tellField) }),
    },
  }
}

function tellField({ field, message, reason }: FieldError) {
  return { field, message, ...told(reason) }
}

function told(reason: AdminReason | undefined) {
  return reason === undefined ? {} : { reason: reason.name, parameters: reason.parameters }
}

/** Answers what nobody answered, and what the app's outermost layer caught. */
export function renderFailure(ctx: Context, status: number, error?: unknown): void {
  answerRefusal(ctx, refusalOf(error) ?? new AdminFault(nameOf(status)))
}

function nameOf(status: number): AdminFaultName {
  if (status === 404) return 'not_found'
  if (status === 405) return 'method_not_allowed'
  return status < 500 ? 'invalid_request' : 'internal_error'
}
