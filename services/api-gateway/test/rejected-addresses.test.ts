import { expect, test } from 'vitest'
import { limits } from '#contracts'
import { setTime } from '#testing'
import { errorResponses } from './caller.ts'
import { sendRawRequest } from './raw-request.ts'
import { setOwnStage } from './stage.ts'

const stage = setOwnStage({ gatewayEnvironment: { TRUSTED_PROXY_HOPS: '1' } })

const from = (address: string, key: string) =>
  sendRawRequest(stage.serviceStack.web_api, {
    path: `/api/appinfo?key=${key}`,
    headers: { 'x-forwarded-for': address },
  })

/** Sends as many rejected requests as an address may. */
async function exhaust(address: string): Promise<void> {
  for (let sent = 0; sent < limits.rejected_requests_per_window; sent += 50) {
    const responses = await Promise.all(Array.from({ length: 50 }, () => from(address, 'wrong')))
    for (const response of responses) expect(response).toMatchObject(errorResponses.invalid_api_key)
  }
}

test('429/22 with Retry-After for an address with too many rejected requests; its active keys and other addresses still work', async () => {
  await exhaust('192.0.2.1')
  const { result: response, expectAfter } = await setTime(() => from('192.0.2.1', 'wrong'))
  expect(response).toMatchObject(errorResponses.too_many_requests)
  expect(Number(response.headers['retry-after'])).toBeGreaterThan(0)
  expect(Number(response.headers['retry-after'])).toBeLessThanOrEqual(61)
  const reset = String(response.headers['x-ratelimit-reset'])
  expect(reset).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  expectAfter(reset, Number(response.headers['retry-after']) * 1_000)
  expect(await from('192.0.2.1', stage.site.api_key)).toMatchObject({ status: 200 })
  expect(await from('192.0.2.2', 'wrong')).toMatchObject(errorResponses.invalid_api_key)
})

test('429/22 for the whole /64 of an IPv6 address, not for other blocks', async () => {
  await exhaust('2001:db8:0:1::1')
  expect(await from('2001:db8:0:1:ffff::2', 'wrong')).toMatchObject(errorResponses.too_many_requests)
  expect(await from('2001:db8:0:2::1', 'wrong')).toMatchObject(errorResponses.invalid_api_key)
})
