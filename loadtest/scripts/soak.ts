import exec from 'k6/execution'
import { logInRandomUser } from './shared/login.ts'
import { callRandomOperation, mixedOperations } from './shared/mix.ts'
import { siteAt } from './shared/prepared.ts'
import { atRate, minutes, reportMetric, withCommonThresholds } from './shared/run.ts'

export { summary as handleSummary } from './shared/run.ts'

const durationSeconds = minutes(20) * 60

/** A moderate mix of operations and logins for a long time, to detect slow growth. */
export const options = withCommonThresholds(
  {
    mix: atRate(Number(__ENV.RATE ?? 100), durationSeconds, { exec: 'mix' }),
    logins: atRate(1, durationSeconds, { exec: 'login' }),
  },
  reportMetric(
    'http_req_duration',
    mixedOperations.map((operation) => `operation:${operation}`),
  ),
)

export function mix() {
  callRandomOperation(siteAt(exec.scenario.iterationInTest))
}

export function login() {
  logInRandomUser()
}
