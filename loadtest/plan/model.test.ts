import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { withGenerated } from '../../testing/generated.ts'
import { planInstallation, type Servers, waitsOf } from './model.ts'
import { formatCosts, formatPlan, formatSizing } from './report.ts'

const servers: Servers = { postgres_cores: 8, max_connections: 500, nats_cores: 4, restorable_gb: 500 }

test('the sizing in docs/operate/capacity.md is that of the model', async () => {
  const file = join(import.meta.dirname, '../../docs/operate/capacity.md')
  const written = readFileSync(file, 'utf8')
  const sizing = formatSizing(10_000 / 60, [1, 10, 50], servers)
  await expect(withGenerated(written, { sizing, costs: formatCosts() })).toMatchFileSnapshot(file)
})

test('the example in docs/operate/scaling.md is that of the model', async () => {
  const file = join(import.meta.dirname, '../../docs/operate/scaling.md')
  const written = readFileSync(file, 'utf8')
  const plan = formatPlan({ requests: 8_000, logins: 200, users: 100_000_000 }, servers)
  await expect(withGenerated(written, { plan })).toMatchFileSnapshot(file)
})

describe('queues', () => {
  test('a queue M/M/1 with half of its load waits as long as the service takes, and one of hundred 3.9 times the rest', () => {
    const { mean_wait_ms, p99_wait_ms } = waitsOf(0.5, 2)
    expect(mean_wait_ms).toBe(2)
    expect(p99_wait_ms).toBeCloseTo((2 / 0.5) * Math.log(50))
  })

  test('an idle queue does not wait', () => {
    expect(waitsOf(0, 2)).toEqual({ mean_wait_ms: 0, p99_wait_ms: 0 })
  })
})

test('each service carries its load after one replica has failed', () => {
  for (const requests of [1, 500, 20_000])
    for (const { load, replicas } of planInstallation({ requests, logins: 30, users: 1 }, servers).services) {
      expect(load).toBeLessThanOrEqual(0.6)
      expect(replicas).toBeGreaterThanOrEqual(2)
    }
})

test('what breaks first is the resource with the least room', () => {
  const first = (requests: number, users: number) =>
    planInstallation({ requests, logins: 0, users }, servers).limits[0]?.resource
  expect(first(10_000, 0)).toBe('the core of Redis')
  expect(first(1, 1_000_000_000)).toBe('the database of profile')
})
