import { type RequestExplanation, requestExplanationNames } from '#admin-api'
import { faults } from '#contracts'

const nameOfCode = new Map<number, string>(Object.entries(faults).map(([name, { code }]) => [code, name]))

interface AnsweredRequest {
  /** Of the error; null for a success. */
  readonly code: number | null
  /** Null where it is not known. */
  readonly site: number | null
}

/** What became of a request. */
export function explain({ code, site }: AnsweredRequest): RequestExplanation {
  if (code === null) return 'answered'
  if (code === faults.too_many_requests.code && site === null) return 'too_many_refusals'
  const name = nameOfCode.get(code)
  return requestExplanationNames.find((one) => one === name) ?? 'other'
}
