import { type RequestExplanation, requestExplanations } from '../../../../../libs/contracts/admin/explanations.ts'

/** As the service says them. */
export const explanations: Readonly<Record<RequestExplanation, string>> = requestExplanations
