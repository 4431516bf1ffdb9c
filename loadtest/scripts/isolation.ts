import { siteAt } from './shared/prepared.ts'
import { atRate, minutes, promises, told } from './shared/run.ts'
import { ask, succeeded } from './shared/web-api.ts'

export { summary as handleSummary } from './shared/run.ts'

const halfSeconds = (minutes(3) * 60) / 2

/** One site at 1,000 a minute, first alone, then while another site asks for far more than its limit. */
export const options = promises(
  {
    alone: atRate(1_000 / 60, halfSeconds, { exec: 'neighbour', tags: { while: 'alone' } }),
    flooded: atRate(1_000 / 60, halfSeconds, {
      exec: 'neighbour',
      start_seconds: halfSeconds,
      tags: { while: 'flooded' },
    }),
    flood: atRate(24_000 / 60, halfSeconds, { exec: 'flood', start_seconds: halfSeconds }),
  },
  told('http_req_duration', ['while:alone', 'while:flooded']),
)

export function neighbour() {
  succeeded(ask(siteAt(1), 'appinfo'), 'appinfo')
}

export function flood() {
  ask(siteAt(0), 'appinfo', { may_be_limited: true })
}
