import { expect, test } from 'vitest'
import { describePlannedRate } from './planned-rate.ts'

const summary = {
  root_group: { checks: [] },
  metrics: {
    http_reqs: { values: { count: 1_000 } },
    'http_req_duration{rate:300}': { values: { count: 1_000, 'p(99)': 20 } },
  },
}

test('compares the limit of the CPUs with the costs of the plan', () => {
  expect(describePlannedRate(summary, { cores: 1, shared_cpu_seconds: 0 })).toBe(
    'By the costs of `npm run plan`, 1 CPU would be full with 356 requests a second (2.81 ms each; k6 has CPUs of its own). The knee is at 84 % of that.',
  )
})

test('counts the time of k6 on the same CPUs', () => {
  expect(describePlannedRate(summary, { cores: 2, shared_cpu_seconds: 0.5 })).toContain(
    '2 CPUs would be full with 604 requests a second (3.31 ms each; k6 takes 0.50 ms of it). The knee is at 50 % of that.',
  )
})
