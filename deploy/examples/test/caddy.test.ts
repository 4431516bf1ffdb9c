import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DnsServer, type SeededSite, type ServiceStack, seedSite, startDnsServer, startStack } from '#testing'
import { issuerAt, proveHost } from '../../../services/provider-auth/test/host-fixture.ts'
import { type Caddy, caddyMissing, startCaddy } from './caddy.ts'

const stack = new AsyncDisposableStack()
afterAll(() => stack.disposeAsync())

describe.skipIf(caddyMissing)(`Caddy with certificates on demand${caddyMissing ?? ''}`, () => {
  const host = 'login.shop.example.net'
  let serviceStack: ServiceStack
  let dns: DnsServer
  let shop: SeededSite
  let caddy: Caddy
  beforeAll(async () => {
    dns = stack.use(await startDnsServer())
    const providerAuthEnvironment = {
      HOST_PROOF_DNS_SERVERS: dns.address,
      SITE_HOST_PATTERN: '{site_id}.{account}.login.example.com',
    }
    serviceStack = stack.use(await startStack({ providerAuthEnvironment }))
    shop = await seedSite(serviceStack)
    await proveHost(serviceStack, dns, shop, host)
    caddy = stack.use(await startCaddy(serviceStack))
  })

  const issuerOf = async (at: string) => {
    const { body } = await caddy.get(at, '/.well-known/openid-configuration')
    return JSON.parse(body).issuer
  }

  test('serves a host of a site with its own issuer, so the Host field is kept', async () => {
    expect(await issuerOf(host)).toBe(issuerAt(serviceStack, host))
  })

  test('serves the host that the pattern gives the site', async () => {
    const ofPattern = `${shop.site_id}.${shop.account}.login.example.com`
    expect(await issuerOf(ofPattern)).toBe(issuerAt(serviceStack, ofPattern))
  })

  test('serves the installation’s own hosts', async () => {
    expect(await issuerOf('login.example.com')).toBe(serviceStack.auth)
    const { status } = await caddy.get('api.example.com', `/api/appinfo?key=${shop.api_key}`)
    expect(status).toBe(200)
  })

  test.each(['evil.example', 'unknown.login.example.com', 'login.example.net'])(
    'obtains no certificate for %s',
    async (unknown) => await expect(caddy.get(unknown, '/')).rejects.toThrow('alert'),
  )

  test('serves a new host at once, and rejects requests on it once the site has removed it', async () => {
    const added = 'login.new.example.net'
    await expect(caddy.get(added, '/')).rejects.toThrow('alert')
    await proveHost(serviceStack, dns, shop, added)
    expect(await issuerOf(added)).toBe(issuerAt(serviceStack, added))
    const { site, account, site_id } = shop
    await serviceStack.provider_auth.removeHost({ site, account, site_id, host: added }, serviceStack.call())
    expect(await caddy.get(added, '/oauth2/authorize')).toMatchObject({ status: 421 })
  })

  test('leads from the file with the proof on port 80 to the same file over TLS', async () => {
    const path = '/.well-known/social-login-host'
    expect((await caddy.getPlain(host, path)).location).toBe(`https://${host}${path}`)
    const names = { site: shop.site, account: shop.account, site_id: shop.site_id }
    const { hosts } = await serviceStack.provider_auth.readSiteHosts(names, serviceStack.call())
    expect((await caddy.get(host, path)).body).toBe(hosts.find((one) => one.host === host)?.txt_value)
  })
})
