import { type AdminFaultName, adminFaults } from '#admin-api'
import { Fault, type FaultName, limits } from '#contracts'
import { isDatabaseUnavailable } from '#database'
import type { Context } from '#http'
import { AdminFault, type FieldError } from '../admin-fault.ts'
import { parseProblem, toReasonFields } from '../input-problems.ts'

/** Translation of the faults of called services. */
const translatedFaults: Partial<Record<FaultName, AdminFaultName>> = {
  unavailable: 'unavailable',
  entity_not_found: 'not_found',
  changed_meanwhile: 'revision_mismatch',
  already_exists: 'conflict',
}

/** Converts an expected error to an admin fault; undefined for a defect. */
export function toAdminFault(error: unknown): AdminFault | undefined {
  if (error instanceof AdminFault) return error
  if (isDatabaseUnavailable(error)) return new AdminFault('unavailable', { cause: error })
  if (error instanceof Fault && ['invalid_parameter', 'metadata_invalid'].includes(error.fault)) {
    const fields = error.fields.map(({ field, reason }) => ({ field, ...parseProblem(reason) }))
    return new AdminFault('invalid_request', { fields, cause: error })
  }
  const name = error instanceof Fault ? translatedFaults[error.fault] : undefined
  return name === undefined ? undefined : new AdminFault(name, { cause: error })
}

export function renderFault(ctx: Context, adminFault: AdminFault): void {
  const { fault, message, field, fields } = adminFault
  ctx.status = adminFaults[fault].status
  if (fault === 'not_signed_in') ctx.set('WWW-Authenticate', 'Bearer')
  if (fault === 'unavailable') ctx.set('Retry-After', String(limits.retry_after_seconds))
  ctx.body = {
    error: {
      name: fault,
      message,
      ...(field === undefined ? {} : { field }),
      ...toReasonFields(adminFault.reason),
      ...(fields.length === 0 ? {} : { fields: fields.map(toFieldError) }),
    },
  }
}

function toFieldError({ field, message, reason }: FieldError) {
  return { field, message, ...toReasonFields(reason) }
}

/** Renders requests that no route handled, and errors that the app's outermost middleware caught. */
export function renderFailure(ctx: Context, status: number, error?: unknown): void {
  renderFault(ctx, toAdminFault(error) ?? new AdminFault(faultOfStatus(status)))
}

function faultOfStatus(status: number): AdminFaultName {
  if (status === 404) return 'not_found'
  if (status === 405) return 'method_not_allowed'
  return status < 500 ? 'invalid_request' : 'internal_error'
}
