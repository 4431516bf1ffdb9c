import { type AdminFaultName, type AdminReason, adminFaults, sentenceOf } from '#admin-api'

interface FaultOptions extends ErrorOptions {
  /** Why: its sentence is told in the place of the fault's, and by its name in the language of the pages. */
  readonly reason?: AdminReason
  /** Replaces the fault's sentence where programs alone are refused so. */
  readonly detail?: string
  /** What it is about. */
  readonly field?: string
}

/** An expected refusal, as `adminFaults` has it. */
export class AdminFault extends Error {
  readonly fault: AdminFaultName
  readonly reason: AdminReason | undefined
  readonly field: string | undefined

  constructor(fault: AdminFaultName, { reason, detail, field, ...options }: FaultOptions = {}) {
    const sentence = reason === undefined ? detail : sentenceOf(reason)
    super(sentence ?? adminFaults[fault].message, options)
    this.name = 'AdminFault'
    this.fault = fault
    this.reason = reason
    this.field = field
  }
}
