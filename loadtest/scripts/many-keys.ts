import exec from 'k6/execution'
import { askOneOfTheMix, mixedOperations } from './shared/mix.ts'
import { siteAt } from './shared/prepared.ts'
import { atRate, minutes, promises, told } from './shared/run.ts'

export { summary as handleSummary } from './shared/run.ts'

const perSecond = Number(__ENV.RATE ?? 200)

/** A thousand sites in turn, each with its key, with what customers' servers ask. */
export const options = promises(
  { mix: atRate(perSecond, minutes(2) * 60) },
  told(
    'http_req_duration',
    mixedOperations.map((operation) => `operation:${operation}`),
  ),
)

export default function () {
  askOneOfTheMix(siteAt(exec.scenario.iterationInTest))
}
