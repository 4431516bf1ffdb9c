import { type FaultReason, faultReasons } from '../../../../../libs/contracts/fault-details.ts'

/** The sentences of the Web API's documentation. */
export const fault_reasons: Readonly<Record<FaultReason, string>> = faultReasons
