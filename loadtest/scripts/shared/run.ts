import type { Options, Scenario } from 'k6/options'

/** Minutes a script takes, or as many as were asked for. */
export function minutes(usual: number): number {
  return Number(__ENV.MINUTES ?? usual)
}

export function seconds(count: number): string {
  return `${Math.round(count)}s`
}

/** Requests come at a rate, whether or not those before were answered: a loop that waits for answers hides slowness. */
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
  /** Virtual users there are; when all of them wait for answers a request is dropped, and the run fails. */
  readonly most_at_once?: number
  readonly tags?: Record<string, string>
}

type Thresholds = NonNullable<Options['thresholds']>

/** What every script promises: each request was sent when it should have been, and every check held. */
export function promises(scenarios: Record<string, Scenario>, thresholds: Thresholds = {}): Options {
  return {
    scenarios,
    thresholds: {
      dropped_iterations: ['count==0'],
      checks: ['rate==1'],
      http_req_failed: ['rate==0'],
      ...thresholds,
    },
    // Neither `url` nor `ip`: addresses can hold keys.
    systemTags: ['status', 'method', 'name', 'scenario', 'check', 'expected_response', 'error_code'],
    summaryTrendStats: ['count', 'avg', 'med', 'p(95)', 'p(99)', 'max'],
    setupTimeout: '2m',
  }
}

/** A threshold that always holds, so that the summary tells the metric for these tags alone. */
export function told(metric: string, tags: readonly string[], kind: 'trend' | 'counter' = 'trend'): Thresholds {
  const always = kind === 'trend' ? 'max>=0' : 'count>=0'
  return Object.fromEntries(tags.map((tag) => [`${metric}{${tag}}`, [always]]))
}

/** k6 calls this at the end; the run makes the tables of it. */
export function summary(data: object): Record<string, string> {
  return { [`${__ENV.SUMMARY}`]: JSON.stringify(data) }
}
