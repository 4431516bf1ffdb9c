import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Constellation, type SeededSite, seedSite, startConstellation } from '#testing'
import { en } from '../pages/texts/en.ts'
import { ja } from '../pages/texts/ja.ts'
import { associateAddress, authorizeAddress, fetchOneTimeToken } from './browser.ts'

let constellation: Constellation
let site: SeededSite
beforeAll(async () => {
  constellation = await startConstellation()
  site = await seedSite(constellation)
})
afterAll(() => constellation[Symbol.asyncDispose]())

const read = async (address: string, language?: string, init: RequestInit = {}) => {
  const headers = language === undefined ? {} : { 'accept-language': language }
  return (await fetch(address, { redirect: 'manual', headers, ...init })).text()
}
const languageOf = (page: string) => /<html lang="(\w+)">/.exec(page)?.[1]

describe('an error page is in', () => {
  test.each([
    ['English without any wish', undefined, undefined, 'en'],
    ['English for who reads neither', 'fr-FR, de;q=0.5', undefined, 'en'],
    ['Japanese for a Japanese browser', 'ja-JP, ja;q=0.9, en;q=0.5', undefined, 'ja'],
    ['English for who reads that better', 'en-GB, ja;q=0.9', undefined, 'en'],
    ['Japanese for who reads that and no English', 'fr, ja;q=0.1', undefined, 'ja'],
    ['the language the application wants first', 'en', 'fr-CA ja-JP en', 'ja'],
    ['the language of the browser when the application wants none of ours', 'ja', 'fr tlh', 'ja'],
  ])('%s', async (_, accepted, ui_locales, language) => {
    const page = await read(authorizeAddress(site, 'search', { client_id: 'nobody', ui_locales }), accepted)
    expect(languageOf(page)).toBe(language)
    expect(page).toContain({ en, ja }[language === 'ja' ? 'ja' : 'en'].pages.client_id_invalid.heading)
  })

  test('the language of a form, too', async () => {
    const body = new URLSearchParams({ ui_locales: 'ja', client_id: 'nobody' })
    expect(languageOf(await read(site.providers.search.authorize_uri, 'en', { method: 'POST', body }))).toBe('ja')
  })

  test('the language of the browser at an unknown address', async () => {
    const page = await read(`${constellation.auth}/nowhere`, 'ja')
    expect(languageOf(page)).toBe('ja')
    expect(page).toContain(ja.pages.not_found.advice)
  })
})

test('the specification\u2019s own wording stands on a Japanese page as it is, marked as English', async () => {
  const page = await read(authorizeAddress(site, 'search', { client_id: 'nobody' }), 'ja')
  expect(page).toContain('<p class="message" lang="en">client_id is invalid.</p>')
  const other = await read(`${constellation.auth}/oauth2/callback/search/x`, 'ja')
  expect(other).toContain(`<p class="message">${ja.pages.login_ended.message}</p>`)
})

test('the confirmation of a linking is in Japanese for who wants that', async () => {
  const { provider_auth, call } = constellation
  const token = await fetchOneTimeToken(constellation, site, { user: '花子' })
  const { identifier } = await provider_auth.redeemOneTimeToken({ site: site.site, token }, call())
  const wanted = { site: site.site, identifier, provider: 'search' } as const
  const { authenticate_uri } = await provider_auth.issueAssociationToken(wanted, call())
  const page = await read(associateAddress(authenticate_uri, site), 'ja')
  expect(languageOf(page)).toBe('ja')
  expect(page).toContain(ja.confirmation('search').caution)
})

test('a language has every text, and none of it is left in another', () => {
  for (const [name, { heading, advice }] of Object.entries(ja.pages))
    for (const text of [heading, advice]) expect(text, name).toMatch(/\p{Script=Hiragana}/u)
})
