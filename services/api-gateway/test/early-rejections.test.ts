import { expect, test } from 'vitest'
import { newApiKey } from '#runtime'
import { seedSite, waitFor } from '#testing'
import { sendRequest } from './caller.ts'
import { setOwnStage } from './stage.ts'

const stage = setOwnStage()

/** Counters that every rejection changes, by their lines. */
const counters =
  /^(sociallogin_(api_requests|apikey_checks|ratelimit_decisions)_total|http_server_request_duration_seconds_count)\{/

async function readCounters(): Promise<Map<string, number>> {
  const [gateway] = stage.serviceStack.services.api_gateway
  const text = await (await fetch(`http://localhost:${gateway?.operations_port}/metrics`)).text()
  // Without the description, which `sendRequest` reads.
  const lines = text.split('\n').filter((line) => counters.test(line) && !line.includes('openapi'))
  return new Map(lines.map((line) => [line.replace(/ \S+$/, ''), Number(/\S+$/.exec(line)?.[0])]))
}

/** Sends a request; returns its response and the counters that it increased. */
async function observe(key: string, place: 'header' | 'query') {
  const address = `${stage.serviceStack.web_api}/appinfo`
  const before = await readCounters()
  const response =
    place === 'header'
      ? await sendRequest(address, { headers: { authorization: `Bearer ${key}` } })
      : await sendRequest(`${address}?key=${key}`)
  const after = await readCounters()
  const increased = [...after].filter(([line, value]) => value !== (before.get(line) ?? 0)).map(([line]) => line)
  const { status, body, headers } = response
  // Those that differ between any two responses: IDs, and times in seconds.
  const masked = [...headers].map(([name, value]) => [
    name,
    value.replaceAll(/[\da-f-]{36}|:\d\dZ|t=\d+|:\d\d GMT/g, '…'),
  ])
  const comparable = masked.filter(([name]) => name !== 'retry-after')
  return { status, body, headers: Object.fromEntries(comparable), increased: increased.sort() }
}

test('an unknown key in a header, which the app does not see, gets the response of one in the query', async () => {
  const early = await observe(newApiKey(), 'header')
  expect(early).toEqual(await observe(newApiKey(), 'query'))
  expect(early).toMatchObject({ status: 401, body: { error: { code: 1 } } })
  expect(early.increased).toHaveLength(3)
})

test('a request above the limit with the key in a header gets the response of one with it in the query', async () => {
  const { identity, call } = stage.serviceStack
  const { site, api_key } = await seedSite(stage.serviceStack)
  await identity.changeSite({ site, requests_per_window: 1 }, call())
  await waitFor(async () => expect(await observe(api_key, 'query')).toMatchObject({ status: 429 }))
  const early = await observe(api_key, 'header')
  expect(early).toEqual(await observe(api_key, 'query'))
  expect(early).toMatchObject({ status: 429, body: { error: { code: 22 } }, headers: { 'x-ratelimit-remaining': '0' } })
  expect(early.increased).toHaveLength(4)
})

test('errors of a site with short errors are short, wherever the key is', async () => {
  const { identity, call } = stage.serviceStack
  const { site, api_key } = await seedSite(stage.serviceStack)
  await identity.changeSite({ site, requests_per_window: 1, compatibility: ['short_errors'] }, call())
  const short = { status: 'failed', error: { code: 22, message: expect.any(String) } }
  await waitFor(async () => expect((await observe(api_key, 'query')).body).toEqual(short))
  expect((await observe(api_key, 'header')).body).toEqual(short)
})

test('a request that gets another response is left to the app', async () => {
  const { identity, call, web_api } = stage.serviceStack
  const { site, api_key } = await seedSite(stage.serviceStack)
  await identity.changeSite({ site, requests_per_window: 1 }, call())
  await waitFor(async () => expect(await observe(api_key, 'header')).toMatchObject({ status: 429 }))
  const authorization = `Bearer ${api_key}`
  const send = (target: string, init: RequestInit = {}) =>
    sendRequest(`${web_api}/${target}`, { headers: { authorization }, ...init })
  expect(await send(`appinfo?key=${newApiKey()}`)).toMatchObject({ status: 401 })
  expect(await send('appinfo', { headers: { authorization, 'x-api-key': newApiKey() } })).toMatchObject({ status: 401 })
  expect(await send('appinfo', { method: 'PUT' })).toMatchObject({ status: 405 })
  expect(await send('unknown')).toMatchObject({ status: 404 })
})

test('a request from an address that is not allowed gets the same response with the key in a header and in the query', async () => {
  const { identity, call } = stage.serviceStack
  const { site, api_key } = await seedSite(stage.serviceStack)
  await identity.changeSite({ site, allowed_addresses: ['192.0.2.1'] }, call())
  await waitFor(async () => expect(await observe(api_key, 'query')).toMatchObject({ status: 403 }))
  const early = await observe(api_key, 'header')
  expect(early).toEqual(await observe(api_key, 'query'))
  expect(early).toMatchObject({ status: 403, body: { error: { code: 1001 } } })
})
