import { type RequestExplanation, request_explanations } from '#admin-api'
import { faults } from '#contracts'

const name_of_code = new Map<number, string>(Object.entries(faults).map(([name, { code }]) => [code, name]))

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
  const name = name_of_code.get(code)
  return request_explanations.find((one) => one === name) ?? 'other'
}
