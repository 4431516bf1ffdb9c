import type { Options, Scenario } from 'k6/options'

/** Duration of a script in minutes, or the requested one. */
export function minutes(usual: number): number {
  return Number(__ENV.MINUTES ?? usual)
}

export function seconds(count: number): string {
  return `${Math.round(count)}s`
}

/** Sends requests at a constant rate, regardless of responses: a loop that waits for responses would hide slowness. */
export function atRate(
  perSecond: number,
  durationSeconds: number,
  { exec = 'default', start_seconds = 0, most_at_once = 300, ...more }: Placed = {},
): Scenario {
  return {
    executor: 'constant-arrival-rate',
    exec,
    rate: Math.round(perSecond * 60),
    timeUnit: '1m',
    duration: seconds(durationSeconds),
    startTime: seconds(start_seconds),
    preAllocatedVUs: most_at_once,
    gracefulStop: '30s',
    ...more,
  }
}

interface Placed {
  readonly exec?: string
  readonly start_seconds?: number
  /** Number of virtual users. If all of them wait for responses, a request is dropped, and the run fails. */
  readonly most_at_once?: number
  readonly tags?: Record<string, string>
}

type Thresholds = NonNullable<Options['thresholds']>

/** Thresholds of every script: no request was dropped, and all checks passed. */
export function withCommonThresholds(scenarios: Record<string, Scenario>, thresholds: Thresholds = {}): Options {
  return {
    scenarios,
    thresholds: {
      dropped_iterations: ['count==0'],
      checks: ['rate==1'],
      http_req_failed: ['rate==0'],
      ...thresholds,
    },
    // Neither `url` nor `ip`: URLs can contain keys.
    systemTags: ['status', 'method', 'name', 'scenario', 'check', 'expected_response', 'error_code'],
    summaryTrendStats: ['count', 'avg', 'med', 'p(95)', 'p(99)', 'max'],
    setupTimeout: '2m',
  }
}

/** A threshold that always passes, so that the summary has the metric for these tags. */
export function reportMetric(metric: string, tags: readonly string[], kind: 'trend' | 'counter' = 'trend'): Thresholds {
  const always = kind === 'trend' ? 'max>=0' : 'count>=0'
  return Object.fromEntries(tags.map((tag) => [`${metric}{${tag}}`, [always]]))
}

/** k6 calls this at the end; the run creates the tables from it. */
export function summary(data: object): Record<string, string> {
  return { [`${__ENV.SUMMARY}`]: JSON.stringify(data) }
}
