import exec from 'k6/execution'
import { logInRandomUser } from './shared/login.ts'
import { callRandomOperation } from './shared/mix.ts'
import { siteAt } from './shared/prepared.ts'
import { atRate, minutes, withCommonThresholds } from './shared/run.ts'

export { summary as handleSummary } from './shared/run.ts'

const durationSeconds = minutes(2) * 60

/** Constant load while the run replaces every service's processes. No request may fail. */
export const options = withCommonThresholds({
  mix: atRate(Number(__ENV.RATE ?? 60), durationSeconds, { exec: 'mix' }),
  logins: atRate(2, durationSeconds, { exec: 'login' }),
})

export function mix() {
  callRandomOperation(siteAt(exec.scenario.iterationInTest))
}

export function login() {
  logInRandomUser()
}
