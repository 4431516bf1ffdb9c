import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type BuiltInLoginProvider, builtInLoginProviders, builtInProviders } from '#contracts'
import type { SharedStack } from '#testing'
import { buildAuthenticateUrl, buildAuthorizeUrl, listButtonLabels, openTestBrowser } from './browser.ts'
import { createSiteFixture } from './site-fixture.ts'

const { serviceStack, site } = createSiteFixture()

type Changes = Omit<Parameters<SharedStack['identity']['changeSite']>[0], 'site'>
const change = (changes: Changes) =>
  serviceStack.identity.changeSite({ site: site.site, ...changes }, serviceStack.call())

async function open(address: string, language = 'en'): Promise<string> {
  const response = await fetch(address, { redirect: 'manual', headers: { 'accept-language': language } })
  return response.text()
}

const choiceAddress = () => `${serviceStack.auth}/oauth2/authorize${new URL(buildAuthorizeUrl(site, 'search')).search}`

const LoginButtons = z.object({
  language: z.string(),
  login_buttons: z.array(
    z.strictObject({
      provider: z.string(),
      name: z.string(),
      label: z.string(),
      class: z.string(),
      authorization_endpoint: z.url(),
    }),
  ),
})
async function readButtons(query: Record<string, string>) {
  const response = await fetch(`${serviceStack.auth}/oauth2/login-buttons?${new URLSearchParams(query)}`)
  expect(response.status).toBe(200)
  expect(response.headers.get('access-control-allow-origin')).toBe('*')
  return LoginButtons.parse(await response.json())
}

const english = [
  'Log in with LINE',
  'Log in with Yahoo! JAPAN ID',
  'Continue with Facebook',
  'Sign in with Google',
  'Sign in with Apple',
  'Sign in with X',
]
const japanese = [
  'LINEでログイン',
  'Yahoo! JAPAN IDでログイン',
  'Facebookで続ける',
  'Googleでログイン',
  'Appleでサインイン',
  'Xでログイン',
]

describe('login pages show display names, never wire names', () => {
  test.each([
    ['en', english],
    ['ja', japanese],
  ])('the choice of a provider in %s', async (language, labels) => {
    const html = await open(choiceAddress(), language)
    expect(listButtonLabels(html)).toEqual(labels)
    const visible = html.replaceAll(/<[^>]*>/g, ' ')
    for (const provider of builtInProviders) expect(visible).not.toMatch(new RegExp(`\\b${provider}\\b`))
  })

  test.each([
    ['en', 'Link your LINE account?', 'Continue to LINE'],
    ['ja', 'LINE のアカウントを連携しますか？', 'LINE に進む'],
  ])('the confirmation of a link in %s', async (language, heading, button) => {
    const { user } = await serviceStack.identity.createUser({ site: site.site, links: [] }, serviceStack.call())
    const query = new URLSearchParams({
      key: site.api_key,
      identifier: user.identifier,
      target_provider: 'messaging',
    })
    const response = await (await fetch(`${serviceStack.web_api}/association_token?${query}`)).json()
    const { authenticate_uri } = z.object({ authenticate_uri: z.string() }).parse(response)
    const html = await open(`${authenticate_uri}&callback=${encodeURIComponent(site.client.redirect_uri)}`, language)
    expect(html).toContain(`<h1>${heading}</h1>`)
    expect(html).toContain(`>${button}</button>`)
    expect(html.replaceAll(/<[^>]*>/g, ' ')).not.toContain(`${site.account}/${site.site_id}`)
  })
})

describe('the branding of a site', () => {
  test('has its display name on each of its pages, also on error pages', async () => {
    await change({ name: 'Leaf & Kettle' })
    for (const address of [
      choiceAddress(),
      buildAuthorizeUrl(site, 'search', { redirect_uri: 'https://other.example.com/' }),
      buildAuthorizeUrl(site, 'search', { client_id: 'unknown' }),
      `${serviceStack.auth}/oauth2/authorize?client_id=${site.client.client_id}`,
      buildAuthenticateUrl(serviceStack, site, 'search', { callback: 'https://other.example.com/' }),
    ]) {
      const html = await open(address)
      expect(html).toContain('<header><bdi>Leaf &amp; Kettle</bdi></header>')
      expect(html).toMatch(/<title>.+ – Leaf &amp; Kettle<\/title>/)
    }
    expect(await open(`${serviceStack.auth}/oauth2/authorize?client_id=unknown`)).not.toContain('<header>')
  })

  test('has its order of buttons and its own names, in the language for which they are set', async () => {
    const providerOrder: BuiltInLoginProvider[] = ['device', 'messaging']
    await change({ provider_order: providerOrder, provider_names: { portal: { en: 'Our partner' } } })
    expect(listButtonLabels(await open(choiceAddress()))).toEqual([
      'Sign in with Apple',
      'Log in with LINE',
      'Continue with Our partner',
      'Continue with Facebook',
      'Sign in with Google',
      'Sign in with X',
    ])
    expect(listButtonLabels(await open(choiceAddress(), 'ja'))[2]).toBe('Yahoo! JAPAN IDでログイン')

    const { client_id } = site.client
    const { language, login_buttons } = await readButtons({ client_id, ui_locales: 'fi ja' })
    expect(language).toBe('ja')
    expect(login_buttons.map(({ provider }) => provider)).toEqual([
      'device',
      'messaging',
      'portal',
      'social',
      'search',
      'microblog',
    ])
    expect(login_buttons[0]).toEqual({
      provider: 'device',
      name: 'Apple',
      label: 'Appleでサインイン',
      class: 'device',
      authorization_endpoint: site.providers.device.authorize_uri,
    })
    await change({ provider_order: [], provider_names: {} })
  })
})

describe('login buttons for an application’s own pages', () => {
  test('have colors and a logo for each class, for light and dark pages', async () => {
    const response = await fetch(`${serviceStack.auth}/oauth2/login-buttons.css`)
    expect(response.headers.get('content-type')).toBe('text/css; charset=utf-8')
    expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    const styles = await response.text()
    for (const provider of builtInLoginProviders) {
      const marks = [...styles.matchAll(new RegExp(`\\.${provider} { --mark: url\\("([^"]+)"\\); background: #`, 'g'))]
      expect(marks).toHaveLength(2)
      for (const [, path] of marks) {
        const mark = await fetch(serviceStack.auth + path)
        expect(mark.headers.get('content-type')).toBe('image/svg+xml')
        expect(await mark.text()).toMatch(/^<svg /)
      }
    }
  })

  test.each<Record<string, string>>([{}, { client_id: 'unknown' }])('400 for %j', async (query) => {
    const response = await fetch(`${serviceStack.auth}/oauth2/login-buttons?${new URLSearchParams(query)}`)
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({ error: 'invalid_request', error_description: 'client_id is invalid.' })
  })

  test('start a login at the provider', async () => {
    const { login_buttons } = await readButtons({ client_id: site.client.client_id })
    for (const { authorization_endpoint } of login_buttons) {
      const query = new URL(buildAuthorizeUrl(site, 'search')).search
      const response = await openTestBrowser().open(`${authorization_endpoint}${query}`)
      expect(response.headers.get('location')).toMatch(serviceStack.simulator)
    }
  })
})
