import { expect, test } from 'vitest'
import { Fault, ProviderButton, type ProviderDefinition, ProviderLogo } from '#contracts'

import { createSiteFixture } from './site-fixture.ts'

const { serviceStack, site } = createSiteFixture()

const toDataUrl = (type: string, content: string | Buffer) =>
  `data:image/${type};base64,${Buffer.from(content).toString('base64')}`
const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 4"><path d="M1 1h2v2z"></path></svg>'
const button = { light: { background: '#004080', text: '#ffffff' } }

/** Saves a provider with a look; returns its settings, or the rejected fields. */
async function save(provider: string, look: Pick<ProviderDefinition, 'logo' | 'button'>) {
  const { account, site_id } = site
  const endpoints = {
    authorization: 'https://id.example.com/authorize',
    token: 'https://id.example.com/token',
    user: 'https://id.example.com/user',
  }
  const protocol = { type: 'oauth2', endpoints, claims: { profile: {} } } as const
  const definition = { display_name: { en: 'Staff' }, ...look, protocol }
  const client = { client_id: 'app', client_secret: 'secret' }
  const change = { site: site.site, account, site_id, provider, expected_revision: 0, ...client, definition }
  return serviceStack.provider_auth.changeProviderSettings(change, serviceStack.call()).catch((error: unknown) => {
    if (error instanceof Fault) return error
    throw error
  })
}

async function readStyles(): Promise<string> {
  const query = new URLSearchParams({ client_id: site.client.client_id })
  return (await fetch(`${serviceStack.auth}/oauth2/login-buttons.css?${query}`)).text()
}

test('the stylesheet of a client has the colors and the logo of a provider that the site configured', async () => {
  await save('staff', { logo: toDataUrl('svg+xml', svg.replace('<path', '<script>alert(1)</script><path')), button })
  const [rule = '', path = ''] =
    /\.login-button\.staff \{ --mark: url\("([^"]+)"\)[^}]*\}/.exec(await readStyles()) ?? []
  expect(rule).toContain('background: #004080; color: #ffffff; border-color: #004080')
  const logo = await fetch(serviceStack.auth + path)
  expect(logo.headers.get('content-type')).toBe('image/svg+xml')
  expect(logo.headers.get('content-security-policy')).toBe("default-src 'none'; style-src 'unsafe-inline'; sandbox")
  expect(await logo.text()).toBe(svg)

  // Those of other sites are not in it.
  const common = await (await fetch(`${serviceStack.auth}/oauth2/login-buttons.css`)).text()
  expect(common).not.toContain('.staff')
  expect((await fetch(`${serviceStack.auth}/oauth2/login-buttons/logos/unknown`)).status).toBe(404)
})

test.each([
  ['a text that does not stand out', { light: { background: '#ffffff', text: '#999999' } }, 'has a contrast of 2.8:1'],
  ['a color that is none', { light: { background: 'red; } *{', text: '#000000' } }, 'is no color'],
])('colors with %s are rejected', (_, colors, reason) => {
  expect(ProviderButton.safeParse(colors).error?.issues[0]?.message).toContain(reason)
})

test.each([
  ['of another kind', toDataUrl('gif', 'GIF89a'), 'is no data URL of a PNG or SVG'],
  ['that is no PNG', toDataUrl('png', 'x'), 'is no PNG'],
  ['that is too large', toDataUrl('svg+xml', svg.padEnd(33_000)), 'is larger than 32 kB'],
])('a logo %s is rejected', (_, logo, reason) => {
  expect(ProviderLogo.safeParse(logo).error?.issues[0]?.message).toBe(reason)
})

test('an SVG without shapes is rejected', async () => {
  const logo = toDataUrl('svg+xml', '<svg><script>alert(1)</script></svg>')
  expect(await save('rejected', { logo })).toMatchObject({
    fault: 'invalid_parameter',
    fields: [{ field: 'definition.logo', reason: 'is no SVG document with shapes' }],
  })
})
