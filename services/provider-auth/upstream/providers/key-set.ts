import { createRemoteJWKSet, customFetch, errors, type JWTVerifyOptions, type JWTVerifyResult, jwtVerify } from 'jose'
import { type FetchFromProvider, providerTimeoutMs } from '../http-client/fetch.ts'

/** How long unknown keys are not looked for after one that the provider does not have. */
const pauseMs = 30_000

/** Verifies a JWT with a key of the set. Throws errors of jose, and what `fetch` throws. */
export type VerifyWithKeySet = (token: string, checks: JWTVerifyOptions) => Promise<JWTVerifyResult>

/**
 * Opens a provider's key set, which is fetched when it is first used, and again for a key that is not in it: providers
 * replace keys at any time. Tokens with invented keys cause at most one request in 30 seconds.
 *
 * @param address of the key set (RFC 7517 5)
 */
export function openKeySet(address: string, fetch: FetchFromProvider): VerifyWithKeySet {
  let fetches = 0
  let pausedUntil = Number.NEGATIVE_INFINITY
  const keys = createRemoteJWKSet(new URL(address), {
    timeoutDuration: providerTimeoutMs,
    [customFetch](url, request) {
      fetches++
      return fetch(url, request)
    },
  })
  return async (token, checks) => {
    const fetchesBefore = fetches
    try {
      return await jwtVerify(token, keys, checks)
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error
      // The keys are those that the provider has now.
      const isNew = fetches > fetchesBefore
      if (isNew || performance.now() < pausedUntil) {
        if (isNew) pausedUntil = performance.now() + pauseMs
        throw error
      }
      pausedUntil = performance.now() + pauseMs
      await keys.reload()
      const verified = await jwtVerify(token, keys, checks)
      pausedUntil = Number.NEGATIVE_INFINITY
      return verified
    }
  }
}
