import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createCircuitBreaker } from './circuit-breaker.ts'
import { ProviderUnavailable } from './fetch.ts'

test('one line is logged when a circuit opens and one when it closes, regardless of the attempts in between', async () => {
  const lines: { level: number; provider: string }[] = []
  const logger = pino({}, { write: (line) => lines.push(JSON.parse(line)) })
  let tried = 0
  const within = createCircuitBreaker({ provider: 'search', openMs: 1, logger, onStateChange() {} })
  const fail = () => {
    tried++
    return Promise.reject(new ProviderUnavailable())
  }
  const attempt = () => within(fail).catch(() => tried)
  await expect.poll(attempt, { interval: 5 }).toBeGreaterThan(8)
  expect(lines).toEqual([expect.objectContaining({ level: 40, provider: 'search' })])

  const succeed = () =>
    within(async () => new Response()).then(
      ({ ok }) => ok,
      () => false,
    )
  await expect.poll(succeed, { interval: 5 }).toBe(true)
  expect(lines.slice(1)).toEqual([expect.objectContaining({ level: 30, provider: 'search' })])
})
