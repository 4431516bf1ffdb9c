import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { createCounter } from './create.ts'

async function readSeries(registry: Registry): Promise<string[]> {
  return (await registry.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
}

test('a counter whose label values are known has each series from the start, so that its first increment is an increase', async () => {
  const registry = new Registry()
  const refused = createCounter(registry, 'sociallogin_http_connections_refused_total')
  const series = ['total', 'address'].map((reason) => `sociallogin_http_connections_refused_total{reason="${reason}"}`)
  expect(await readSeries(registry)).toEqual(series.map((one) => `${one} 0`))
  refused.inc({ reason: 'total' })
  createCounter(registry, 'sociallogin_http_connections_refused_total')
  expect(await readSeries(registry)).toEqual([`${series[0]} 1`, `${series[1]} 0`])
})

test('several labels have every combination', async () => {
  const registry = new Registry()
  createCounter(registry, 'sociallogin_ratelimit_decisions_total')
  expect(await readSeries(registry)).toHaveLength(3 * 2)
})

test('a counter of unknown label values has no series before its first increment', async () => {
  const registry = new Registry()
  createCounter(registry, 'sociallogin_api_requests_total')
  expect(await readSeries(registry)).toEqual([])
})
