import { siteAt } from './shared/prepared.ts'
import { atRate, minutes, withCommonThresholds } from './shared/run.ts'
import { callOperation, succeeded } from './shared/web-api.ts'

export { summary as handleSummary } from './shared/run.ts'

export const options = withCommonThresholds(
  { steady: atRate(9_900 / 60, minutes(5) * 60) },
  { web_api_limited: ['count==0'], web_api_other: ['count==0'] },
)

export default function () {
  succeeded(callOperation(siteAt(0), 'appinfo', { may_be_limited: true }), 'appinfo')
}
