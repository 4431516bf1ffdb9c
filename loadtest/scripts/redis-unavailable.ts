import { check } from 'k6'
import exec from 'k6/execution'
import { siteAt } from './shared/prepared.ts'
import { atRate, minutes, reportMetric, withCommonThresholds } from './shared/run.ts'
import { callOperation, type WebApiResponse } from './shared/web-api.ts'
import { readReset, windowSeconds } from './shared/window.ts'

export { summary as handleSummary } from './shared/run.ts'

const floodSeconds = minutes(5) * 60
const modes = ['exact', 'degraded'] as const
/** Every second in which a window can end, counted from the flood's start. */
const ends = Array.from({ length: floodSeconds + windowSeconds + 2 }, (_, second) => second)

/**
 * 12,000 requests a minute with one key, while the run stops and restarts Redis: every response is 200 or 429. The script
 * reports served requests by mode and by the second in which their window ends; the run checks them.
 */
export const options = withCommonThresholds(
  { flood: atRate(12_000 / 60, floodSeconds, { exec: 'flood' }) },
  {
    web_api_other: ['count==0'],
    ...reportMetric(
      'web_api_served',
      modes.flatMap((mode) => ends.map((second) => `mode:${mode},ends:${second}`)),
      'counter',
    ),
  },
)

export function flood() {
  const response = callOperation(siteAt(0), 'appinfo', { may_be_limited: true, tagged: modeAndEnd })
  check(response, { 'a response is 200 or 429': () => response.status === 200 || response.status === 429 })
}

function modeAndEnd(response: WebApiResponse): Record<string, string> {
  const mode = response.headers['X-Ratelimit-Mode'] === 'degraded' ? 'degraded' : 'exact'
  return { mode, ends: String(Math.round((readReset(response) - exec.scenario.startTime) / 1_000)) }
}
