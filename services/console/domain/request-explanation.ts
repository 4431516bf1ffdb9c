import { type RequestExplanation, requestExplanationNames } from '#admin-api'
import { faults } from '#contracts'

const nameOfCode = new Map<number, string>(Object.entries(faults).map(([name, { code }]) => [code, name]))

interface RecordedRequest {
  /** Error code; null: success. */
  readonly code: number | null
  /** Null: unknown. */
  readonly site: number | null
}

/** Finds the explanation of a request's result. */
export function findRequestExplanation({ code, site }: RecordedRequest): RequestExplanation {
  if (code === null) return 'succeeded'
  if (code === faults.too_many_requests.code && site === null) return 'too_many_rejections'
  const name = nameOfCode.get(code)
  return requestExplanationNames.find((one) => one === name) ?? 'other'
}
