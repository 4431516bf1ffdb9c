import exec from 'k6/execution'
import { callRandomOperation, mixedOperations } from './shared/mix.ts'
import { siteAt } from './shared/prepared.ts'
import { atRate, minutes, reportMetric, withCommonThresholds } from './shared/run.ts'

export { summary as handleSummary } from './shared/run.ts'

const perSecond = Number(__ENV.RATE ?? 200)

/** A thousand sites in turn, each with its key, with the usual mix of operations. */
export const options = withCommonThresholds(
  { mix: atRate(perSecond, minutes(2) * 60) },
  reportMetric(
    'http_req_duration',
    mixedOperations.map((operation) => `operation:${operation}`),
  ),
)

export default function () {
  callRandomOperation(siteAt(exec.scenario.iterationInTest))
}
