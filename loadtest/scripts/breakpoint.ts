import exec from 'k6/execution'
import { callRandomOperation } from './shared/mix.ts'
import { siteAt } from './shared/prepared.ts'
import { atRate, minutes, reportMetric, withCommonThresholds } from './shared/run.ts'

export { summary as handleSummary } from './shared/run.ts'

const stepSeconds = 15
const first = 100
const growth = 1.25
const steps = Math.floor((minutes(4) * 60) / stepSeconds)
/** Node.js compiles what runs often; nine processes on one CPU need the most time for it. */
const warmUpSeconds = 90
const rates = Array.from({ length: steps }, (_, n) => Math.round(first * growth ** n))

/**
 * Increasing steps of load, reported separately, after a warm-up at the first rate: processes that have just started answer
 * late. It ends when most requests are late or one fails; the run reports the last good step.
 */
export const options = {
  ...withCommonThresholds(
    {
      warm_up: atRate(first, warmUpSeconds),
      rising: {
        startTime: `${warmUpSeconds}s`,
        executor: 'ramping-arrival-rate',
        startRate: first,
        timeUnit: '1s',
        preAllocatedVUs: 600,
        stages: rates.flatMap((target) => [
          { duration: '1s', target },
          { duration: `${stepSeconds - 1}s`, target },
        ]),
        gracefulStop: '10s',
      },
    },
    {
      'dropped_iterations{scenario:rising}': [{ threshold: 'count==0', abortOnFail: true }],
      http_req_failed: [{ threshold: 'rate<0.01', abortOnFail: true }],
      'http_req_duration{scenario:rising}': [{ threshold: 'p(95)<1000', abortOnFail: true, delayAbortEval: '10s' }],
      ...reportMetric(
        'http_req_duration',
        rates.map((rate) => `rate:${rate}`),
      ),
    },
  ),
}

export default function () {
  if (exec.scenario.name === 'rising') exec.vu.metrics.tags.rate = String(rateOfStep())
  callRandomOperation(siteAt(exec.scenario.iterationInTest))
}

function rateOfStep(): number | undefined {
  const step = Math.floor((Date.now() - exec.scenario.startTime) / 1_000 / stepSeconds)
  return rates[step] ?? rates.at(-1)
}
