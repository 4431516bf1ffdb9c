import { describe, expect, test } from 'vitest'
import { builtInLanguages } from '../texts/page-languages.ts'
import {
  buildAuthenticateUrl,
  buildAuthorizeUrl,
  buildLinkUrl,
  fetchOneTimeToken,
  openRedirect,
  openTestBrowser,
  submitLinkDecision,
  submitProviderSignIn,
  type TestBrowser,
} from './browser.ts'
import { createSiteFixture } from './site-fixture.ts'

const [en, ja] = [builtInLanguages.textsIn('en'), builtInLanguages.textsIn('ja')]

const { serviceStack, site } = createSiteFixture()

const read = async (address: string, language?: string, init: RequestInit = {}) => {
  const headers = language === undefined ? {} : { 'accept-language': language }
  return (await fetch(address, { redirect: 'manual', headers, ...init })).text()
}
const languageOf = (page: string) => /<html lang="([\w-]+)"/.exec(page)?.[1]

describe('an error page is in', () => {
  test.each([
    ['English without a preference', undefined, undefined, 'en'],
    ['English for another preference', 'fi-FI, sv;q=0.5', undefined, 'en'],
    ['Japanese for a Japanese browser', 'ja-JP, ja;q=0.9, en;q=0.5', undefined, 'ja'],
    ['English if it is preferred', 'en-GB, ja;q=0.9', undefined, 'en'],
    ['Japanese without English', 'fi, ja;q=0.1', undefined, 'ja'],
    ['the application’s first language', 'en', 'fi-FI ja-JP en', 'ja'],
    ['the browser’s language if the application’s are not supported', 'ja', 'fi tlh', 'ja'],
  ])('%s', async (_, accepted, uiLocales, language) => {
    const page = await read(
      buildAuthorizeUrl(site, 'search', { client_id: 'unknown', ui_locales: uiLocales }),
      accepted,
    )
    expect(languageOf(page)).toBe(language)
    expect(page).toContain({ en, ja }[language === 'ja' ? 'ja' : 'en'].pages.client_id_invalid.heading)
  })

  test('the language of a form', async () => {
    const body = new URLSearchParams({ ui_locales: 'ja', client_id: 'unknown' })
    expect(languageOf(await read(site.providers.search.authorize_uri, 'en', { method: 'POST', body }))).toBe('ja')
  })

  test('the language of the browser at an unknown URL', async () => {
    const page = await read(`${serviceStack.auth}/nowhere`, 'ja')
    expect(languageOf(page)).toBe('ja')
    expect(page).toContain(ja.pages.not_found.advice)
  })
})

test('the specification\u2019s wording is unchanged on a Japanese page and marked as English', async () => {
  const page = await read(buildAuthorizeUrl(site, 'search', { client_id: 'unknown' }), 'ja')
  expect(page).toContain('<p class="message" lang="en" dir="ltr">client_id is invalid.</p>')
  const other = await read(`${serviceStack.auth}/oauth2/callback/search/x`, 'ja')
  expect(other).toContain(`<p class="message">${ja.pages.login_ended.message}</p>`)
})

/** The URL at which an end user links a search account. */
async function linkingAddress(changes: Readonly<Record<string, string | undefined>> = {}): Promise<string> {
  const { provider_auth, call } = serviceStack
  const token = await fetchOneTimeToken(serviceStack, site, { user: '花子' })
  const { identifier } = await provider_auth.redeemOneTimeToken({ site: site.site, token }, call())
  const input = { site: site.site, identifier, provider: 'search' } as const
  const { authenticate_uri } = await provider_auth.issueAssociationToken(input, call())
  return buildLinkUrl(authenticate_uri, site, changes)
}

test.each([
  ['for a Japanese browser', undefined, 'ja'],
  ['if the application requests it', 'ja', 'en'],
])('the confirmation of a link is in Japanese %s', async (_, uiLocales, accepted) => {
  const page = await read(await linkingAddress({ ui_locales: uiLocales }), accepted)
  expect(languageOf(page)).toBe('ja')
  expect(page).toContain(ja.confirmation.caution)
})

describe('a page at the end user\u2019s return from the provider', () => {
  const authorize = (uiLocales?: string) => buildAuthorizeUrl(site, 'search', { ui_locales: uiLocales })
  const authenticate = (uiLocales?: string) =>
    buildAuthenticateUrl(serviceStack, site, 'search', { ui_locales: uiLocales })
  const linking = async (uiLocales?: string) => {
    const address = await linkingAddress({ ui_locales: uiLocales })
    const browser = openTestBrowser()
    return { browser, at_provider: (await submitLinkDecision(browser, address)).headers.get('location') ?? '' }
  }
  /** Opens the callback of another provider, which shows an error page. */
  const readElsewhere = async (browser: TestBrowser, callback: string, accepted: string) => {
    const { search } = new URL(callback)
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { cookie, 'accept-language': accepted }
    return (await fetch(site.providers.portal.provider_callback + search, { headers })).text()
  }
  const login = async (address: string) => {
    const browser = openTestBrowser()
    return { browser, at_provider: await openRedirect(browser, address) }
  }

  test.each([
    ['a login', 'ja', 'ja', () => login(authorize('fi ja'))],
    ['a login, against the browser\u2019s language', 'en', 'ja', () => login(authorize('en-GB'))],
    ['a login that requested unsupported languages', 'ja', 'ja', () => login(authorize('fi'))],
    ['a login that requested no language', 'ja', 'ja', () => login(authorize())],
    ['a site login', 'en', 'ja', () => login(authenticate('en'))],
    ['a linking', 'en', 'ja', () => linking('en')],
    ['a linking', 'ja', 'en', () => linking('ja')],
  ])('that ends %s is in %s for a browser in %s', async (_, language, accepted, start) => {
    const { browser, at_provider } = await start()
    const page = await readElsewhere(browser, await submitProviderSignIn(browser, at_provider), accepted)
    expect(languageOf(page)).toBe(language)
    expect(page).toContain({ en, ja }[language === 'ja' ? 'ja' : 'en'].pages.other_provider.heading)
  })

  test('is in the language of the provider choice', async () => {
    const url = new URL(authorize('ja'))
    url.pathname = '/oauth2/authorize'
    const browser = openTestBrowser()
    const choice = await (await browser.open(url.href)).text()
    expect(languageOf(choice)).toBe('ja')
    const way = /<a [^>]*href="([^"]+\/authorize\/search\/[^"]+)"/.exec(choice)?.[1] ?? ''
    const callback = await submitProviderSignIn(browser, await openRedirect(browser, way.replaceAll('&amp;', '&')))
    expect(languageOf(await readElsewhere(browser, callback, 'en'))).toBe('ja')
  })
})

test.each([
  ['zh-TW', 'zh-Hant'],
  ['zh-HK', 'zh-Hant'],
  ['zh-CN', 'zh-Hans'],
  ['zh', 'zh-Hans'],
  ['pt', 'pt-BR'],
  ['pt-PT', 'pt-BR'],
  ['es-MX', 'es'],
  ['ko-KR', 'ko'],
  ['in', 'id'],
  ['de-CH', 'de'],
])('a browser in %s gets %s', async (accepted, language) => {
  expect(languageOf(await read(`${serviceStack.auth}/nowhere`, accepted))).toBe(language)
})

test.each(['x', '*', ';q=1', 'ja;q=0', 'a'.repeat(5_000), '-', 'en-'.repeat(50)])(
  'a browser whose languages are %.20j gets English',
  async (accepted) => expect(languageOf(await read(`${serviceStack.auth}/nowhere`, accepted))).toBe('en'),
)

test('an Arabic page runs from right to left, and technical texts from left to right', async () => {
  const page = await read(buildAuthorizeUrl(site, 'search', { client_id: 'unknown' }), 'ar-EG')
  expect(page).toContain('<html lang="ar" dir="rtl">')
  expect(page).toContain('<p class="message" lang="en" dir="ltr">client_id is invalid.</p>')
  expect(page).toMatch(/<code dir="ltr">[0-9a-f-]{36}<\/code>/)
})

test('a language has every text, and no text is in another language', () => {
  for (const [name, { heading, advice }] of Object.entries(ja.pages))
    for (const text of [heading, advice]) expect(text, name).toMatch(/\p{Script=Hiragana}/u)
})
