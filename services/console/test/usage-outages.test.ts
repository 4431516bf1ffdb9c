import { randomUUID } from 'node:crypto'
import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { connectBus, createClient } from '#bus'
import { consoleContract } from '#contracts'
import { createLogger } from '#runtime'
import { createSeparateUsageFixture, waitForReports } from './usage-fixture.ts'

const stage = createSeparateUsageFixture({ gateways: 2 })

/** Calls from an address, or all of a site, that the console has counted. */
async function counted(of: { address: string } | { site: number }): Promise<number> {
  const table = 'address' in of ? 'usage_callers' : 'usage_calls'
  const rows: { calls: number }[] = await stage
    .knex(table)
    .where({ ...of, span: 'hour' })
    .select('calls')
  return rows.reduce((sum, { calls }) => sum + calls, 0)
}

test('the Web API works while the console is unavailable, and its requests are counted afterwards', async () => {
  const { callWebApi, serviceStack } = stage
  let calls = 0
  {
    await using _ = await serviceStack.stopService('console')
    // Long enough for some reports to fail.
    const until = performance.now() + 5_000
    for (; performance.now() < until; calls++) expect((await callWebApi('192.0.2.77', 'appinfo')).status).toBe(200)
    expect(await counted({ address: '192.0.2.77' })).toBe(0)
  }
  await waitForReports(async () => expect(await counted({ address: '192.0.2.77' })).toBe(calls))
})

test('a gateway reports its counts before it stops', async () => {
  const { callWebApi: callFrom, serviceStack } = stage
  for (let call = 0; call < 5; call++) await callFrom('192.0.2.2', 'appinfo', { gateway: 1 })
  await serviceStack.services.api_gateway[1]?.stop()
  expect(await counted({ address: '192.0.2.2' })).toBe(5)
})

test('a repeated report counts once, even if both arrive at the same time', async () => {
  const { serviceStack } = stage
  const site = 900_000
  const logger = createLogger('test', 'silent')
  await using bus = await connectBus(serviceStack.nats.url, { name: 'test', logger })
  const { reportCalls } = createClient(bus, consoleContract, new Registry())
  const minute = Math.floor(Date.now() / 60_000)
  const report = {
    source: randomUUID(),
    sequence: 0,
    callers: [],
    requests: [],
    responses: [{ minute, site, operation: 'appinfo', code: 0, calls: 7 }],
  }
  await Promise.all(Array.from({ length: 8 }, () => reportCalls(report, serviceStack.call())))
  expect(await counted({ site })).toBe(7)
  await reportCalls({ ...report, sequence: 1 }, serviceStack.call())
  expect(await counted({ site })).toBe(14)
})

test('concurrent reports of several gateways about one site lose nothing, and the busiest minute is exact', async () => {
  const { serviceStack, knex } = stage
  const logger = createLogger('test', 'silent')
  await using bus = await connectBus(serviceStack.nats.url, { name: 'test', logger })
  const { reportCalls } = createClient(bus, consoleContract, new Registry())
  const minute = Math.floor(Date.now() / 60_000)
  const sites = [900_001, 900_002]
  const send = (sequence: number) => {
    const turned = sequence % 2 === 0 ? sites : sites.toReversed()
    return reportCalls(
      {
        source: randomUUID(),
        sequence,
        requests: [],
        responses: turned.map((site) => ({ minute, site, operation: 'appinfo', code: 0, calls: 3 })),
        callers: turned.map((site) => ({
          minute,
          site,
          api_key_id: '00000000-0000-4000-8000-000000000000',
          address: '192.0.2.1',
          calls: 3,
          last_at: Date.now(),
        })),
      },
      serviceStack.call(),
    )
  }
  await Promise.all(Array.from({ length: 12 }, (_, sequence) => send(sequence)))
  const rows = await knex('usage_calls').whereIn('site', sites).where({ span: 'hour' }).orderBy('site').select()
  expect(rows).toMatchObject(sites.map((site) => ({ site, calls: 36, busiest_minute: 36 })))
})
