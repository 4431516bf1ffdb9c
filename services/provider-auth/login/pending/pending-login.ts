import { z } from 'zod'
import { limits, Provider } from '#contracts'
import { deriveUuid, type EncryptionContext, hashSecret } from '#runtime'
import type { Deps } from '../../deps.ts'
import type { RegisteredClient } from '../../domain/client.ts'
import { getLoopbackPort, isRegisteredUri, withLoopbackPort } from '../../domain/loopback-uri.ts'
import { PendingRequest } from '../../domain/pending-request.ts'
import { readLoginCookies, setLoginCookies } from './login-cookies.ts'

/**
 * A login whose end user is at the provider. It is stored encrypted in cookies of the browser, so that pending logins
 * take no space in Redis, no matter how many there are. If it is lost, the end user starts again.
 */
export const PendingLogin = z.object({
  provider: Provider,
  login_provider_identifier: z.string(),
  /** Its redirect URIs are digests if they are registered, because URIs can be longer than a cookie. */
  request: PendingRequest,
  /** The port of the request's redirect URI if that is a loopback address, because the client may choose the port. */
  loopback_port: z.int().positive().nullable().default(null),
  /** The state that the provider's adapter needs to finish the login. */
  adapter_state: z.record(z.string(), z.string()),
  /** The language that the application requested for our pages, including those after the callback. */
  language: z.string().nullable().default(null),
  /** Unix time. */
  ends_at_ms: z.number(),
})
export type PendingLogin = z.infer<typeof PendingLogin>

/** The encrypted JSON, without the application's texts. */
const StoredLogin = z.looseObject({ request: z.looseObject({}) })

/**
 * Encrypts a login into cookies of its browser. At the callback, cookies that can be decrypted prove that this browser
 * started it.
 *
 * @param state as sent to the provider, which returns it
 * @param sent the request's `Cookie` header
 * @returns `Set-Cookie` headers
 */
export function storePendingLogin(
  state: string,
  { request, ...login }: Omit<PendingLogin, 'loopback_port'>,
  sent: string | undefined,
  deps: Pick<Deps, 'encryptor' | 'auth_url'>,
): string[] {
  const { state: returned, ...rest } = digestRegisteredUris(request)
  const nonce = 'nonce' in rest ? rest.nonce : null
  const stored = {
    ...login,
    loopback_port: 'scope' in request ? getLoopbackPort(request.redirect_uri) : null,
    request: { ...rest, nonce: null },
  }
  // `nonce` and `state` are outside the JSON, which can escape one character as six. Parameters never contain NUL.
  const plain = [JSON.stringify(stored, (_, value) => value ?? undefined), nonce ?? '', returned ?? ''].join('\0')
  return setLoginCookies(
    state,
    deps.encryptor.encrypt(plain, encryptionContextOf(state)).toString('base64url'),
    sent,
    deps,
  )
}

/** The end of the time in which a login that starts now must come back, as Unix time. */
export function toEndTime(startedAtMs: number): number {
  return startedAtMs + limits.pending_login_seconds * 1_000
}

/** When a pending login started, as Unix time. */
export function toStartTime({ ends_at_ms }: Pick<PendingLogin, 'ends_at_ms'>): number {
  return ends_at_ms - limits.pending_login_seconds * 1_000
}

/** Reads the login with this state from the browser's cookies; undefined if there is none or it cannot be decrypted. */
export async function readPendingLogin(
  state: string,
  sent: string | undefined,
  deps: Pick<Deps, 'encryptor' | 'auth_url'>,
): Promise<PendingLogin | undefined> {
  const encrypted = readLoginCookies(state, sent, deps)
  if (encrypted === undefined) return undefined
  const plain = await deps.encryptor.decryptReturned(Buffer.from(encrypted, 'base64url'), encryptionContextOf(state))
  if (plain === undefined) return undefined
  const [json = '', nonce = '', returned = ''] = plain.split('\0')
  const stored = StoredLogin.parse(JSON.parse(json))
  const request = { ...stored.request, nonce: nonce || null, state: returned || null }
  // Also undefined for a login that an earlier version of this service stored.
  return PendingLogin.safeParse({ ...stored, request }).data
}

/** The callback of a site login with a digest; undefined if it is no longer registered. */
export function findRegisteredUri(digest: string, registered: readonly string[]): string | undefined {
  return registered.find((redirectUri) => digestRedirectUri(redirectUri) === digest)
}

/** The redirect URI of an authorization request with a digest; undefined if it is no longer registered. */
export function restoreRedirectUri(
  digest: string,
  loopbackPort: number | null,
  client: Pick<RegisteredClient, 'kind' | 'redirect_uris'>,
): string | undefined {
  const registered = client.redirect_uris.find((uri) => digestRedirectUri(withLoopbackPort(uri, null)) === digest)
  const restored = registered && withLoopbackPort(registered, loopbackPort)
  return restored !== undefined && isRegisteredUri(restored, client) ? restored : undefined
}

/** Replaces redirect URIs that `findRegisteredUri` and `restoreRedirectUri` find again. */
function digestRegisteredUris(request: PendingRequest): PendingRequest {
  if (request.response_type === 'account_page') return request
  const { redirect_uri } = request
  if (request.response_type !== 'one_time_token')
    return { ...request, redirect_uri: digestRedirectUri(withLoopbackPort(redirect_uri, null)) }
  const { failure_uri, by_domain } = request
  if (by_domain) return request
  const failureUri = failure_uri && digestRedirectUri(failure_uri)
  return { ...request, redirect_uri: digestRedirectUri(redirect_uri), failure_uri: failureUri }
}

/** The login's ID at identity, which records each login once: a UUID derived from the state. */
export function toLoginId(state: string): string {
  return deriveUuid(`login ${state}`)
}

function digestRedirectUri(redirectUri: string): string {
  return hashSecret(redirectUri).slice(0, 32)
}

function encryptionContextOf(state: string): EncryptionContext {
  return ['pending_logins', hashSecret(state)]
}
