import { type AdminFaultName, type AdminReason, adminFaults, formatReason } from '#admin-api'
import type { Problem } from './input-problems.ts'

/** A problem with one field of the input. */
export interface FieldError extends Problem {
  readonly field: string
}

interface FaultOptions extends ErrorOptions {
  /** Its message replaces that of the fault; the console translates it by its name. */
  readonly reason?: AdminReason
  /** Replaces the message of the fault, for errors that only programs cause. */
  readonly detail?: string
  /** The field that the error is about. */
  readonly field?: string
  /** Every invalid field, if the input does not match its schema. */
  readonly fields?: readonly FieldError[]
}

/** An expected error of the Admin API, as defined in `adminFaults`. */
export class AdminFault extends Error {
  override readonly name = 'AdminFault'
  readonly fault: AdminFaultName
  readonly reason: AdminReason | undefined
  readonly field: string | undefined
  readonly fields: readonly FieldError[]

  constructor(fault: AdminFaultName, { reason, detail, field, fields = [], ...options }: FaultOptions = {}) {
    const [first] = fields
    const ofField = first && `${first.field} ${first.message}.`
    const sentence = reason === undefined ? (detail ?? ofField) : formatReason(reason)
    super(sentence ?? adminFaults[fault].message, options)
    this.fault = fault
    this.reason = reason
    this.field = field ?? first?.field
    this.fields = fields
  }
}
