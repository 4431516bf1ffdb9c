import { siteAt } from './shared/prepared.ts'
import { atRate, minutes, reportMetric, withCommonThresholds } from './shared/run.ts'
import { callOperation, succeeded } from './shared/web-api.ts'

export { summary as handleSummary } from './shared/run.ts'

const halfSeconds = (minutes(3) * 60) / 2

/** One site at 1,000 requests a minute, first with no other traffic, then while another site far exceeds its limit. */
export const options = withCommonThresholds(
  {
    alone: atRate(1_000 / 60, halfSeconds, { exec: 'neighbour', tags: { while: 'alone' } }),
    flooded: atRate(1_000 / 60, halfSeconds, {
      exec: 'neighbour',
      start_seconds: halfSeconds,
      tags: { while: 'flooded' },
    }),
    flood: atRate(24_000 / 60, halfSeconds, { exec: 'flood', start_seconds: halfSeconds }),
  },
  reportMetric('http_req_duration', ['while:alone', 'while:flooded']),
)

export function neighbour() {
  succeeded(callOperation(siteAt(1), 'appinfo'), 'appinfo')
}

export function flood() {
  callOperation(siteAt(0), 'appinfo', { may_be_limited: true })
}
