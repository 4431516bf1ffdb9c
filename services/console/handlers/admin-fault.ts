import { type AdminFaultName, type AdminReason, adminFaults, sentenceOf } from '#admin-api'
import type { Complaint } from '../complaints.ts'

/** What is wrong with one field of the input. */
export interface FieldError extends Complaint {
  readonly field: string
}

interface FaultOptions extends ErrorOptions {
  /** Why. Its sentence replaces the fault's; pages show it in their language by its name. */
  readonly reason?: AdminReason
  /** Replaces the fault's sentence in refusals that only programs meet. */
  readonly detail?: string
  /** The field that it is about. */
  readonly field?: string
  /** Every field that is wrong, where the input is not as its schema requires. */
  readonly fields?: readonly FieldError[]
}

/** An expected refusal of the Admin API, as `adminFaults` defines it. */
export class AdminFault extends Error {
  readonly fault: AdminFaultName
  readonly reason: AdminReason | undefined
  readonly field: string | undefined
  readonly fields: readonly FieldError[]

  constructor(fault: AdminFaultName, { reason, detail, field, fields = [], ...options }: FaultOptions = {}) {
    const [first] = fields
    const ofField = first && `${first.field} ${first.message}.`
    const sentence = reason === undefined ? (detail ?? ofField) : sentenceOf(reason)
    super(sentence ?? adminFaults[fault].message, options)
    this.name = 'AdminFault'
    this.fault = fault
    this.reason = reason
    this.field = field ?? first?.field
    this.fields = fields
  }
}
