import type { PartReport } from '../part.ts'
import type { LoadAnswer } from './load.ts'

export interface Overload {
  /** Requests a second that the product answers. */
  readonly capacity: number
  readonly factor: number
  readonly seconds: number
  /** `performance.now()`; requests that are answered later do not count as served. */
  readonly endsAt: number
  readonly answers: readonly LoadAnswer[]
  /** At equal intervals of the overload. */
  readonly samples: readonly OverloadSample[]
  /** Until all requests of a second were answered. */
  readonly recoveredAfterMs: number
  readonly restarts: number
}

/** The end of an interval. */
export interface OverloadSample {
  /** `performance.now()` */
  readonly at: number
  /** Memory of all processes together, in MiB. */
  readonly memory: number
  /** The share of CPU time, 0 to 1, that the host gave to others in the interval. */
  readonly stolen: number
}

const leastServed = 0.8
const rejectedWithinMs = 200
/** All processes share a CPU, so that a gateway has to wait for the garbage collection of others. */
const mostLateRejections = 0.01
const worstRejectionMs = 1_000
const recoverWithinMs = 30_000
const mostGrowth = 1.1
const mostLateSeconds = 5

export function judgeOverload(overload: Overload): string[] {
  const { recoveredAfterMs, restarts } = overload
  const { servedShare, lateShare, worstRejection, unexpected, growth } = summarize(overload)
  return [
    ...(servedShare < leastServed ? [`${percent(servedShare)} of the capacity was served`] : []),
    ...(lateShare > mostLateRejections
      ? [`${percent(lateShare)} of the rejections took ${rejectedWithinMs} ms or more`]
      : []),
    ...(worstRejection > worstRejectionMs ? [`a rejection took ${Math.round(worstRejection)} ms`] : []),
    ...(unexpected.length > 0 ? [`${unexpected.length} unexpected answers, such as ${unexpected[0]?.status}`] : []),
    ...(growth > mostGrowth ? [`memory grew by ${percent(growth - 1)}`] : []),
    ...(recoveredAfterMs >= recoverWithinMs ? ['requests failed 30 seconds after the overload'] : []),
    ...(restarts > 0 ? [`${restarts} processes ended`] : []),
  ].map((violation) => `overload: ${violation}`)
}

export function formatOverload(overload: Overload, violations: readonly string[]): PartReport {
  const { capacity, factor, seconds, answers, samples, recoveredAfterMs } = overload
  const { served, rejected, servedShare, lateShare } = summarize(overload)
  const memory = samples.map((sample) => sample.memory)
  const rows = [
    ['Capacity', `${Math.round(capacity)} requests a second`],
    ['Sent', `${answers.length} in ${seconds} s, ${factor} times as many`],
    ['Served', `${percent(servedShare)} of the capacity`],
    ['Time to an answer (median, 99 %, worst)', times(served)],
    ['Rejected with 503 and `Retry-After`', `${rejected.length}`],
    ['Time to a rejection (median, 99 %, worst)', times(rejected)],
    [`Rejected within ${rejectedWithinMs} ms`, `${((1 - lateShare) * 100).toFixed(2)} %`],
    ['Seconds with most late rejections', describeLateSeconds(rejected, samples)],
    [
      'Memory of all processes (first, most, last)',
      [memory[0], Math.max(...memory), memory.at(-1)].map(mebibytes).join(', '),
    ],
    ['Normal again after', `${recoveredAfterMs / 1_000} s`],
    ['Violations', `${violations.length}`],
  ]
  const text = ['## Overload', '', '| | |', '|---|---|', ...rows.map((row) => `| ${row.join(' | ')} |`)].join('\n')
  return { text, violations }
}

function summarize({ capacity, seconds, endsAt, answers, samples }: Overload) {
  const memory = samples.map((sample) => sample.memory)
  const served = answers.filter(({ status }) => status === 200)
  const rejected = answers.filter(({ status, retryAfter }) => status === 503 && retryAfter)
  // The first third is the time in which processes grow to their usual size under load.
  const third = Math.floor(memory.length / 3)
  const most = (samples: readonly number[]) => Math.max(...samples)
  return {
    served,
    rejected,
    servedShare: served.filter(({ at }) => at <= endsAt).length / seconds / capacity,
    lateShare: rejected.filter(({ ms }) => ms >= rejectedWithinMs).length / Math.max(1, rejected.length),
    worstRejection: rejected.reduce((worst, { ms }) => Math.max(worst, ms), 0),
    unexpected: answers.filter(({ status, retryAfter }) => status !== 200 && !(status === 503 && retryAfter)),
    growth: most(memory.slice(-third)) / most(memory.slice(third, -third)),
  }
}

/** Shows whether this machine or the load generator was late, and not the product. */
function describeLateSeconds(rejected: readonly LoadAnswer[], samples: readonly OverloadSample[]): string {
  const seconds = samples.map(({ at, stolen }, index) => {
    const from = samples[index - 1]?.at ?? 0
    const inSecond = rejected.filter((answer) => answer.at > from && answer.at <= at)
    return {
      number: index + 1,
      late: inSecond.filter(({ ms }) => ms >= rejectedWithinMs).length,
      sentAfterMs: inSecond.reduce((most, answer) => Math.max(most, answer.sentAfterMs), 0),
      stolen,
    }
  })
  const latest = seconds
    .filter(({ late }) => late > 0)
    .toSorted((a, b) => b.late - a.late)
    .slice(0, mostLateSeconds)
  if (latest.length === 0) return 'none'
  return latest
    .map(
      ({ number, late, sentAfterMs, stolen }) =>
        `second ${number}: ${late} (sent up to ${Math.round(sentAfterMs)} ms late, ${percent(stolen)} of CPU time stolen)`,
    )
    .join('; ')
}

function times(answers: readonly LoadAnswer[]): string {
  const sorted = answers.map(({ ms }) => ms).toSorted((a, b) => a - b)
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
  return [0.5, 0.99, 1].map((part) => `${Math.round(at(part))} ms`).join(', ')
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}

function mebibytes(value: number | undefined): string {
  return `${Math.round(value ?? 0)} MiB`
}
