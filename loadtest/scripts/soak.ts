import exec from 'k6/execution'
import { logInAsSomebody } from './shared/login.ts'
import { askOneOfTheMix, mixedOperations } from './shared/mix.ts'
import { siteAt } from './shared/prepared.ts'
import { atRate, minutes, promises, told } from './shared/run.ts'

export { summary as handleSummary } from './shared/run.ts'

const durationSeconds = minutes(20) * 60

/** A quiet day's mix and logins for long: what grows by the hour shows. */
export const options = promises(
  {
    mix: atRate(Number(__ENV.RATE ?? 100), durationSeconds, { exec: 'mix' }),
    logins: atRate(1, durationSeconds, { exec: 'login' }),
  },
  told(
    'http_req_duration',
    mixedOperations.map((operation) => `operation:${operation}`),
  ),
)

export function mix() {
  askOneOfTheMix(siteAt(exec.scenario.iterationInTest))
}

export function login() {
  logInAsSomebody()
}
