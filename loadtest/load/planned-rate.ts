import { costs } from '../toolkit/costs.ts'
import { findKnee } from './checks.ts'
import { readMetric, type Summary } from './summary.ts'

export interface MeasuredSize {
  /** CPUs of the product. */
  readonly cores: number
  /** CPU seconds that k6 took on the same CPUs: 0 if it has its own. */
  readonly shared_cpu_seconds: number
}

/** Compares the limit of this machine with the requests that its CPUs serve by the costs of `npm run plan`. */
export function describePlannedRate(summary: Summary, { cores, shared_cpu_seconds }: MeasuredSize): string {
  const costMs = Object.values(costs.request).reduce<number>((sum, cost) => sum + cost, 0)
  const k6Ms = (1_000 * shared_cpu_seconds) / readMetric(summary, 'http_reqs', 'count')
  const planned = (1_000 * cores) / (costMs + k6Ms)
  const share = (100 * (findKnee(summary)?.rate ?? 0)) / planned
  const taken = k6Ms === 0 ? 'k6 has CPUs of its own' : `k6 takes ${k6Ms.toFixed(2)} ms of it`
  return `By the costs of \`npm run plan\`, ${cores} CPU${cores === 1 ? '' : 's'} would be full with ${planned.toFixed(0)} requests a second (${(costMs + k6Ms).toFixed(2)} ms each; ${taken}). The knee is at ${share.toFixed(0)} % of that.`
}
