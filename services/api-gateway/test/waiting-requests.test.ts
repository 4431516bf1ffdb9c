import { expect, test } from 'vitest'
import { z } from 'zod'
import { seedSite } from '#testing'
import type { ParameterList } from './caller.ts'
import { createTestUser, setOwnStage } from './stage.ts'

/** One request at a time, unless it waits. */
const stage = setOwnStage({ gateways: 2, gatewayEnvironment: { MAX_REQUESTS: '1' } })

const Page = z.object({ events: z.array(z.object({ type: z.string() })), next_after: z.string() })
/** As many as a gateway lets wait for one site. */
const most = 20

/** Repeats a request that met another one. */
async function getWhenFree(operation: string, parameters: ParameterList = {}) {
  for (;;) {
    const response = await stage.web_api.get(operation, parameters)
    if (response.status !== 503) return response
  }
}

/** A request of an earlier test may be waking up, and take the only slot for a moment. */
async function readPosition(): Promise<string> {
  return Page.parse((await getWhenFree('events', { after: 'newest' })).body).next_after
}

test('200 for other requests while requests wait, and for one more than may wait, which is answered at once', async () => {
  const after = await readPosition()
  const wait = () => getWhenFree('events', { after, wait: '30' })
  const waiting = Array.from({ length: most }, wait)
  const seconds = () => getWhenFree('events', { after, wait: '30', types: 'user.deleted' })
  expect(await getWhenFree('appinfo')).toMatchObject({ status: 200 })
  // One of these and those above does not wait.
  const first = await Promise.race([seconds(), ...waiting])
  expect(first).toMatchObject({ status: 200, body: { events: [] } })
  await createTestUser({ ...stage.web_api, get: getWhenFree })
  for (const { status, body } of await Promise.all(waiting)) {
    expect(status).toBe(200)
    expect(Page.parse(body).events.length).toBeLessThanOrEqual(1)
  }
})

test('a stream ends when its API key is revoked, and a waiting request when the gateway stops', async () => {
  const { serviceStack } = stage
  const site = await seedSite(serviceStack)
  const [, gateway] = serviceStack.services.api_gateway
  const address = `${serviceStack.gateways[1]}/events`
  const key = { site: site.site, api_key_id: site.api_key_id }
  const other = await serviceStack.identity.issueApiKey({ site: site.site, name: 'other' }, serviceStack.call())
  const getEvents = async (apiKey: string, parameters: Record<string, string>) => {
    for (;;) {
      const query = new URLSearchParams(parameters)
      const response = await fetch(`${address}?${query}`, { headers: { 'x-api-key': apiKey } })
      if (response.status === 200) return response
    }
  }
  const { next_after: after } = Page.parse(await (await getEvents(site.api_key, { after: 'newest' })).json())
  const open = (apiKey: string) => getEvents(apiKey, { after, wait: '30', format: 'ndjson' })
  const [stream, remaining] = [await open(site.api_key), await open(other.api_key)]
  await serviceStack.identity.revokeApiKey(key, serviceStack.call())
  expect(JSON.parse(await stream.text())).toEqual({ next_after: expect.any(String) })
  await gateway?.stop()
  expect(JSON.parse(await remaining.text())).toEqual({ next_after: expect.any(String) })
})
