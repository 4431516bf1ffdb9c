import { expect, test } from 'vitest'
import { limits } from '#contracts'
import { refused } from './caller.ts'
import { send } from './raw.ts'
import { setOwnStage } from './stage.ts'

const stage = setOwnStage({ gatewayEnvironment: { TRUSTED_PROXY_HOPS: '1' } })

const from = (address: string, key: string) =>
  send(stage.serviceStack.web_api, { path: `/api/appinfo?key=${key}`, headers: { 'x-forwarded-for': address } })

/** Uses up what an address may be refused. */
async function exhaust(address: string): Promise<void> {
  for (let sent = 0; sent < limits.rejected_requests_per_window; sent += 50) {
    const answers = await Promise.all(Array.from({ length: 50 }, () => from(address, 'wrong')))
    for (const answer of answers) expect(answer).toMatchObject(refused.invalid_api_key)
  }
}

test('429/22 with Retry-After for an address that was refused too often; its live keys and other addresses go on', async () => {
  await exhaust('192.0.2.1')
  const answer = await from('192.0.2.1', 'wrong')
  expect(answer).toMatchObject(refused.too_many_requests)
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
  expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(61)
  const reset = String(answer.headers['x-ratelimit-reset'])
  expect(reset).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  expect(Math.abs(Date.parse(reset) - Date.now() - Number(answer.headers['retry-after']) * 1_000)).toBeLessThan(3_000)
  expect(await from('192.0.2.1', stage.site.api_key)).toMatchObject({ status: 200 })
  expect(await from('192.0.2.2', 'wrong')).toMatchObject(refused.invalid_api_key)
})

test('429/22 for the whole /64 of an IPv6 address, not for its neighbour', async () => {
  await exhaust('2001:db8:0:1::1')
  expect(await from('2001:db8:0:1:ffff::2', 'wrong')).toMatchObject(refused.too_many_requests)
  expect(await from('2001:db8:0:2::1', 'wrong')).toMatchObject(refused.invalid_api_key)
})
