import { beforeAll, describe, expect, test } from 'vitest'
import { type SeededSite, type SharedStack, seedSite, sharedStack } from '#testing'
import { logIn, openTestBrowser, type ProviderName } from '../browser.ts'
import { authCoreCallback, visitAuthCore } from './auth-core.ts'

let serviceStack: SharedStack
let site: SeededSite
beforeAll(async () => {
  serviceStack = await sharedStack()
  site = await seedSite(serviceStack, { redirect_uris: [authCoreCallback] })
})

type Alter = (tokens: Record<string, unknown>) => Record<string, unknown>

/** A visit that is back from its login, at the address it is to be opened with. */
async function comeBack(provider: ProviderName, user: string, alter?: Alter) {
  const application = { client: site.client, provider: site.providers[provider], ...(alter && { alter }) }
  const visit = visitAuthCore(serviceStack, application)
  const answer = await logIn(openTestBrowser(), await visit.begin(), { user })
  return { ...visit, answer }
}

describe.each<ProviderName>(['messaging', 'search'])('CONF-5 @auth/core through %s', (provider) => {
  test('logs an end user in, with PKCE, state and nonce', async () => {
    const { answer, open, readUser } = await comeBack(provider, 'Ada Lovelace')
    expect(await readUser()).toBeUndefined()
    await open(answer.href)
    expect(await readUser()).toEqual({ id: expect.stringMatching(/^[0-9a-f]{40}$/), name: 'Ada Lovelace' })
  })

  test.each([
    ['state', 'another'],
    ['iss', 'https://evil.example'],
    ['code', 'slac_another'],
  ])('rejects a response with another %s', async (name, value) => {
    const { answer, open, readUser } = await comeBack(provider, 'Mallory')
    answer.searchParams.set(name, value)
    const response = await open(answer.href)
    expect(response.headers.get('location')).toContain('error')
    expect(await readUser()).toBeUndefined()
  })

  test("rejects an ID Token with another login's nonce", async () => {
    let idToken: unknown
    const first = await comeBack(provider, 'Grace Hopper', (tokens) => {
      idToken = tokens.id_token
      return tokens
    })
    await first.open(first.answer.href)
    const second = await comeBack(provider, 'Grace Hopper', (tokens) => ({ ...tokens, id_token: idToken }))
    const response = await second.open(second.answer.href)
    expect(response.headers.get('location')).toContain('error')
    expect([await first.readUser(), await second.readUser()]).toEqual([expect.anything(), undefined])
  })
})
