import { readMetric, type Summary } from './summary.ts'

/** Tolerated factor of a site's 95th percentile while another site exceeds its limit, on a shared machine. */
const allowedRatio = 3

export function checkIsolation(summary: Summary): readonly string[] {
  const p95 = (during: string) => readMetric(summary, `http_req_duration{while:${during}}`, 'p(95)')
  const ratio = p95('flooded') / p95('alone')
  return ratio <= allowedRatio
    ? []
    : [`The other site's responses were ${ratio.toFixed(1)} times as slow (p95) during the flood.`]
}

const limit = 10_000

/** Requests served in the windows of a mode, by the second in which a window ended. One end is reported in at most two seconds. */
function windowsOf(summary: Summary, mode: 'exact' | 'degraded'): { ends: number; served: number }[] {
  const name = new RegExp(`^web_api_served\\{mode:${mode},ends:(\\d+)\\}$`)
  const seconds = Object.keys(summary.metrics)
    .flatMap((metric) => {
      const ends = name.exec(metric)?.[1]
      return ends === undefined ? [] : [{ ends: Number(ends), served: readMetric(summary, metric, 'count') }]
    })
    .filter(({ served }) => served > 0)
    .toSorted((a, b) => a.ends - b.ends)
  const windows: { ends: number; served: number }[] = []
  for (const second of seconds) {
    const last = windows.at(-1)
    if (last !== undefined && second.ends - last.ends <= 2) last.served += second.served
    else windows.push({ ...second })
  }
  return windows
}

/** No window admits more than the limit, even in degraded mode; after Redis is available again, a window admits the whole limit. */
export function checkRedisOutage(summary: Summary): readonly string[] {
  const exact = windowsOf(summary, 'exact')
  const degraded = windowsOf(summary, 'degraded')
  const firstDegraded = degraded[0]?.ends ?? Number.POSITIVE_INFINITY
  return [
    ...[...exact, ...degraded]
      .filter(({ served }) => served > limit)
      .map(({ ends, served }) => `The window that ended at ${ends} s granted ${served} requests.`),
    ...(degraded.length > 0 ? [] : ['No response was in degraded mode.']),
    ...(exact.some(({ ends, served }) => ends > firstDegraded && served === limit)
      ? []
      : ['No window after Redis came back granted exactly the limit.']),
  ]
}

/** Slower requests are late: the 99th percentile of the latency objective. */
const goodMs = 250

export interface Knee {
  /** Requests a second. */
  readonly rate: number
  readonly p99_ms: number
}

/** Finds the last step of an increasing load at which 99 % of requests were in time. */
export function findKnee(summary: Summary): Knee | undefined {
  const steps = Object.keys(summary.metrics)
    .flatMap((metric) => {
      const rate = /^http_req_duration\{rate:(\d+)\}$/.exec(metric)?.[1]
      if (rate === undefined || readMetric(summary, metric, 'count') === 0) return []
      return [{ rate: Number(rate), p99_ms: readMetric(summary, metric, 'p(99)') }]
    })
    .toSorted((a, b) => a.rate - b.rate)
  const late = steps.findIndex(({ p99_ms }) => p99_ms > goodMs)
  return late === -1 ? steps.at(-1) : steps[late - 1]
}

export function describeKnee(summary: Summary): string {
  const knee = findKnee(summary)
  if (knee === undefined) return 'Not even the first step was in time.'
  return `The knee is at ${knee.rate} requests a second (p99 ${knee.p99_ms.toFixed(0)} ms; ${goodMs} ms is good).`
}
