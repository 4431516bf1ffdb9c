import { siteAt } from './shared/prepared.ts'
import { atRate, minutes, promises } from './shared/run.ts'
import { ask, succeeded } from './shared/web-api.ts'

export { summary as handleSummary } from './shared/run.ts'

export const options = promises(
  { steady: atRate(9_900 / 60, minutes(5) * 60) },
  { web_api_limited: ['count==0'], web_api_other: ['count==0'] },
)

export default function () {
  succeeded(ask(siteAt(0), 'appinfo', { may_be_limited: true }), 'appinfo')
}
