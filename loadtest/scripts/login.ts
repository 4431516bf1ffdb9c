import { logInRandomUser, loginSteps } from './shared/login.ts'
import { atRate, minutes, reportMetric, withCommonThresholds } from './shared/run.ts'

export { summary as handleSummary } from './shared/run.ts'

/** Logins from the authorization endpoint to userinfo, with each simulated provider in turn. */
export const options = withCommonThresholds(
  { logins: atRate(Number(__ENV.RATE ?? 8), minutes(1) * 60) },
  reportMetric(
    'http_req_duration',
    loginSteps.map((step) => `operation:${step}`),
  ),
)

export default function () {
  logInRandomUser()
}
