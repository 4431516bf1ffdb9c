import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { seedSite } from '#testing'
import { createCaller, errorResponses } from './caller.ts'
import { sendRawRequest } from './raw-request.ts'
import { createTestUser, setOwnStage } from './stage.ts'

const stage = setOwnStage({
  gatewayEnvironment: { TRUSTED_PROXY_HOPS: '1', STATIC_BASE_URL: 'https://static.example.com:8443/v1' },
})

/** A separate site with changed settings, known to the gateway, and its server behind the proxy. */
async function siteWith(changes: { allowed_addresses?: string[]; fixed_address_option?: boolean }) {
  const { identity, call, web_api } = stage.serviceStack
  const { site, api_key } = await seedSite(stage.serviceStack)
  await identity.changeSite({ site, ...changes }, call())
  const from = (address: string, headers: Record<string, string> = {}) =>
    sendRawRequest(web_api, {
      path: `/api/appinfo?key=${api_key}`,
      headers: { 'x-forwarded-for': address, ...headers },
    })
  return { api_key, from }
}

describe('allowed addresses', () => {
  test('403/1001 from any address that is not allowed', async () => {
    const { from } = await siteWith({ allowed_addresses: ['192.0.2.7', '2001:db8::/32'] })
    await expect.poll(() => from('192.0.2.8')).toMatchObject(errorResponses.address_not_allowed)
    for (const address of [
      '192.0.2.7',
      '::ffff:192.0.2.7',
      '2001:db8::1',
      '203.0.113.5, 192.0.2.7',
      '192.0.2.7:80',
      '[2001:db8::1]:443',
      '[2001:db8::1]',
      '203.0.113.5:1, 192.0.2.7:65535',
    ])
      expect(await from(address)).toMatchObject({ status: 200 })
    for (const address of [
      '2001:db9::1',
      '192.0.2.7, 203.0.113.5',
      '',
      'unknown',
      '192.0.2.7:',
      '192.0.2.7:x',
      '[192.0.2.7]:80',
      '0300.0.2.7',
    ])
      expect(await from(address)).toMatchObject(errorResponses.address_not_allowed)
  })

  test('other address header fields are ignored', async () => {
    const { from } = await siteWith({ allowed_addresses: ['192.0.2.7'] })
    const forgedHeaders = { forwarded: 'for=192.0.2.7', 'x-real-ip': '192.0.2.7', 'true-client-ip': '192.0.2.7' }
    await expect.poll(() => from('192.0.2.8', forgedHeaders)).toMatchObject(errorResponses.address_not_allowed)
  })

  test('200 from every address after the list was emptied', async () => {
    const { from } = await siteWith({ allowed_addresses: [] })
    expect(await from('192.0.2.8')).toMatchObject({ status: 200 })
    expect(await from('')).toMatchObject({ status: 200 })
  })

  test('the address is checked after the key and before the parameters', async () => {
    const { api_key, from } = await siteWith({ allowed_addresses: ['192.0.2.7'] })
    await expect.poll(() => from('192.0.2.8')).toMatchObject(errorResponses.address_not_allowed)
    const { web_api } = stage.serviceStack
    const elsewhere = createCaller(web_api, api_key)
    expect(await elsewhere.get('map', { identifier: 'é' })).toMatchObject(errorResponses.address_not_allowed)
    expect(await createCaller(web_api, 'unknown').get('map')).toMatchObject(errorResponses.invalid_api_key)
  })
})

describe('the alternate base address', () => {
  test.each([
    'static.example.com',
    'static.example.com:8443',
    'STATIC.example.com',
    'static.example.com.',
    'static.example.com.:443',
  ])('403/1002 at %s without the option, 200 with it', async (host) => {
    const without = await siteWith({})
    expect(await without.from('192.0.2.7', { host })).toMatchObject(errorResponses.option_contract_needed)
    const allowed = await siteWith({ fixed_address_option: true })
    await expect.poll(() => allowed.from('192.0.2.7', { host })).toMatchObject({ status: 200 })
  })

  test('next_uri has the base URL that was called', async () => {
    const { api_key, from } = await siteWith({ fixed_address_option: true })
    await expect.poll(() => from('192.0.2.7', { host: 'static.example.com' })).toMatchObject({ status: 200 })
    const caller = createCaller(stage.serviceStack.web_api, api_key)
    for (const _ of [1, 2]) await createTestUser(caller)
    const nextUri = async (host: string) => {
      const response = await sendRawRequest(stage.serviceStack.web_api, {
        path: `/api/users?key=${api_key}&limit=1`,
        headers: { host, 'x-forwarded-for': '192.0.2.7' },
      })
      expect(response).toMatchObject({ status: 200 })
      return z.object({ next_uri: z.string() }).parse(response.body).next_uri
    }
    expect(await nextUri('static.example.com')).toMatch(/^https:\/\/static\.example\.com:8443\/v1\/api\/users\?/)
    expect(await nextUri('api.example.com')).toMatch(/^https:\/\/api\.example\.com\/api\/users\?/)
  })

  test('200 at any other host, with or without the option', async () => {
    const { from } = await siteWith({})
    expect(await from('192.0.2.7', { host: 'api.example.com' })).toMatchObject({ status: 200 })
    expect(await from('192.0.2.7', { 'x-forwarded-host': 'static.example.com' })).toMatchObject({ status: 200 })
  })
})
