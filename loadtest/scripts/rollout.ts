import exec from 'k6/execution'
import { logInAsSomebody } from './shared/login.ts'
import { askOneOfTheMix } from './shared/mix.ts'
import { siteAt } from './shared/prepared.ts'
import { atRate, minutes, promises } from './shared/run.ts'

export { summary as handleSummary } from './shared/run.ts'

const durationSeconds = minutes(2) * 60

/** Constant load, of which not one request may fail, while the run replaces every service's processes. */
export const options = promises({
  mix: atRate(Number(__ENV.RATE ?? 60), durationSeconds, { exec: 'mix' }),
  logins: atRate(2, durationSeconds, { exec: 'login' }),
})

export function mix() {
  askOneOfTheMix(siteAt(exec.scenario.iterationInTest))
}

export function login() {
  logInAsSomebody()
}
