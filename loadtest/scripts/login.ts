import { logInAsSomebody, loginSteps } from './shared/login.ts'
import { atRate, minutes, promises, told } from './shared/run.ts'

export { summary as handleSummary } from './shared/run.ts'

/** Logins from the authorization endpoint to userinfo, through the simulator of every provider in turn. */
export const options = promises(
  { logins: atRate(Number(__ENV.RATE ?? 8), minutes(1) * 60) },
  told(
    'http_req_duration',
    loginSteps.map((step) => `operation:${step}`),
  ),
)

export default function () {
  logInAsSomebody()
}
