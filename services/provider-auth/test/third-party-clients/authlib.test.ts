import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type SeededSite, seedSite, sharedStack } from '#testing'
import { logIn, openTestBrowser, type ProviderName } from '../browser.ts'
import { authlibMissing, runAuthlib } from './authlib.ts'
import { startTokenProxy, type TokenProxy, withBrokenSignature } from './token-proxy.ts'

describe.skipIf(authlibMissing).each<ProviderName>(['messaging', 'search'])(
  `Authlib in Python through %s${authlibMissing ?? ''}`,
  (provider) => {
    const stack = new AsyncDisposableStack()
    let site: SeededSite
    let between: TokenProxy
    beforeAll(async () => {
      const serviceStack = await sharedStack()
      site = await seedSite(serviceStack)
      between = stack.use(await startTokenProxy(serviceStack, site.providers[provider]))
    })
    afterAll(() => stack.disposeAsync())

    /** A complete login, with changes to what the application stored or received. */
    const logInWithAuthlib = async (changes: Readonly<Record<string, string>> = {}) => {
      const { metadata_url } = between
      const started = await runAuthlib({ metadata_url, ...site.client })
      const callback = await logIn(openTestBrowser(), started.address ?? '', { user: 'Ada Lovelace' })
      return runAuthlib({ metadata_url, ...site.client, ...started, callback: callback.href, ...changes })
    }

    test('logs an end user in, with PKCE, state and nonce', async () => {
      const expected = { sub: expect.stringMatching(/^[0-9a-f]{40}$/), name: 'Ada Lovelace' }
      expect(await logInWithAuthlib()).toEqual(expected)
    })

    test('rejects an ID Token with another signature', async () => {
      between.alter((callback) => ({ ...callback, id_token: withBrokenSignature(String(callback.id_token)) }))
      expect(await logInWithAuthlib()).toEqual({ rejected: expect.stringContaining('bad_signature') })
      between.alter(undefined)
    })

    test.each([
      ['state', 'MismatchingState'],
      ['nonce', 'nonce'],
      ['verifier', 'Authorization code is invalid.'],
    ])('rejects a response to a request with another %s', async (name, reason) => {
      const changed = { [name]: 'x'.repeat(48) }
      expect(await logInWithAuthlib(changed)).toEqual({ rejected: expect.stringContaining(reason) })
    })
  },
)
