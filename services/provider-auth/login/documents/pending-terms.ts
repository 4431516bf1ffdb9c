import { z } from 'zod'
import { Fault, Identifier, LinkId, limits, PreciseTimestamp, ProviderUserId } from '#contracts'
import { clearCookie, readCookie, setCookie } from '#http'
import { type EncryptionContext, equalSecrets, hashSecret, newToken } from '#runtime'
import type { Deps } from '../../deps.ts'
import { evictOldCookies } from '../../http/evict-old-cookies.ts'
import { buildTermsUri } from '../../uris.ts'
import { PendingLogin } from '../pending/pending-login.ts'

/** Maximum logins of a browser that wait for answers; a further one ends the oldest (OWASP ASVS 3.3.5). Our choice. */
const maxParallel = 5

/** A login that is recorded, and whose application receives its response after the end user answered. */
const PendingTerms = z.object({
  /** The login; its redirect URIs are digests. */
  pending: PendingLogin,
  state: z.string(),
  /** When the browser came back from the provider, as Unix time, and how long the steps took. */
  returned_at: z.number(),
  durations: z.partialRecord(z.enum(['provider_ms', 'recording_ms', 'callback_ms']), z.number()),
  identifier: Identifier,
  /** Whether the login created the user. */
  created: z.boolean(),
  link_id: LinkId,
  recorded_at: PreciseTimestamp,
  provider_user_id: ProviderUserId,
  /** Unix time in milliseconds, and the claims of the scopes; a site login needs neither. */
  auth_time_ms: z.number(),
  claims: z.record(z.string(), z.unknown()),
})
export type PendingTerms = z.infer<typeof PendingTerms>

const StoredTerms = z.object({
  /** Hash of the browser's cookie. */
  browser: z.string(),
  ends_at_ms: z.number(),
  terms: PendingTerms,
})

type StoreDeps = Pick<Deps, 'redis' | 'encryptor' | 'auth_url' | 'names'>

/**
 * Stores a login that waits for answers, encrypted. Only the browser that receives the cookie can continue it.
 *
 * @param sent the request's `Cookie` header
 * @returns where the browser goes, with `Set-Cookie` headers
 * @throws Fault if Redis is unavailable
 */
export async function storePendingTerms(
  terms: PendingTerms,
  sent: string | undefined,
  deps: StoreDeps,
): Promise<{ readonly location: string; readonly cookies: readonly string[] }> {
  const id = newTermsId()
  const secret = newToken('', 16)
  const seconds = limits.pending_terms_seconds
  const stored = { browser: hashSecret(secret), ends_at_ms: Date.now() + seconds * 1_000, terms }
  const encrypted = deps.encryptor.encrypt(JSON.stringify(stored), encryptionContextOf(id)).toString('base64url')
  await deps.redis.set(keyOf(id), encrypted, 'EX', seconds).catch(throwUnavailable)
  const name = cookieNameOf(id)
  return {
    location: buildTermsUri(deps, terms.pending.provider, id),
    cookies: [
      setCookie(name, secret, seconds, deps.auth_url, 'lax'),
      ...evictOldCookies({ prefix, name, maxCount: maxParallel }, sent, deps.auth_url),
    ],
  }
}

/** The login, and the CSRF token of its form, which is derived from a value that only this browser has (OWASP ASVS 3.5.1). */
export interface OpenTerms {
  readonly id: string
  readonly terms: PendingTerms
  readonly csrf: string
}

/**
 * Reads the login with this ID in the browser that it belongs to; undefined if it has ended or belongs to another browser.
 *
 * @throws Fault if Redis is unavailable
 */
export async function readPendingTerms(
  id: string,
  sent: string | undefined,
  deps: StoreDeps,
): Promise<OpenTerms | undefined> {
  const secret = isTermsId(id) ? readCookie(sent, cookieNameOf(id), deps.auth_url) : undefined
  if (secret === undefined) return undefined
  const encrypted = await deps.redis.get(keyOf(id)).catch(throwUnavailable)
  if (encrypted === null) return undefined
  const plain = await deps.encryptor.decryptReturned(Buffer.from(encrypted, 'base64url'), encryptionContextOf(id))
  // Also undefined for a login that an earlier version of this service stored.
  const stored = plain === undefined ? undefined : StoredTerms.safeParse(JSON.parse(plain)).data
  if (stored === undefined || Date.now() >= stored.ends_at_ms) return undefined
  if (!equalSecrets(hashSecret(secret), stored.browser)) return undefined
  return { id, terms: stored.terms, csrf: hashSecret(`terms form of ${secret}`) }
}

/** Deletes a login that has ended; if Redis is unavailable, it expires. @returns the `Set-Cookie` header that ends its cookie */
export async function deletePendingTerms(
  id: string,
  { redis, auth_url, logger }: Pick<Deps, 'redis' | 'auth_url' | 'logger'>,
): Promise<string> {
  await redis.del(keyOf(id)).catch((error: unknown) => {
    logger.warn({ error }, 'a login that waited for answers could not be deleted; it expires')
  })
  return clearCookie(cookieNameOf(id), auth_url, 'lax')
}

/** As a login's state: 128 random bits in hex digits. */
function newTermsId(): string {
  return hashSecret(newToken('', 16)).slice(0, 32)
}

function isTermsId(text: string): boolean {
  return /^[0-9a-f]{32}$/.test(text)
}

function throwUnavailable(error: unknown): never {
  throw new Fault('unavailable', { cause: error })
}

const prefix = 'terms-'

/** Hashed, so that the name does not reveal the ID. */
function cookieNameOf(id: string): string {
  return prefix + hashSecret(id).slice(0, 12)
}

function keyOf(id: string): string {
  return `provider-auth:pending-terms:${hashSecret(id)}`
}

function encryptionContextOf(id: string): EncryptionContext {
  return ['pending_terms', hashSecret(id)]
}
