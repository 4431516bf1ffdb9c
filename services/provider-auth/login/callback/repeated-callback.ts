import { setTimeout } from 'node:timers/promises'
import { z } from 'zod'
import { limits } from '#contracts'
import { readCookie, setCookie } from '#http'
import { type EncryptionContext, equalSecrets, hashSecret, newToken } from '#runtime'
import type { Deps } from '../../deps.ts'
import type { Outcome } from '../request/outcome.ts'

/** How long a browser that opens a callback again gets the same response. Our choice. */
const repeatSeconds = 30

/** How often a request looks for the response of one that is in progress. */
const pollMs = 50

const cookies = z.array(z.string())
const settings = z.object({ account: z.string(), site_id: z.string(), site: z.number() }).optional()

/** A response to the application, or the page that leads to it; null if the login ended with another page. */
const StoredResponse = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('redirect'), location: z.string(), cookies, settings }),
    z.object({ kind: z.literal('page'), page: z.literal('user_blocked'), forward: z.string(), cookies, settings }),
    z.object({
      kind: z.literal('form_post'),
      form: z.object({ action: z.string(), fields: z.record(z.string(), z.string()) }),
      cookies,
      settings,
    }),
  ])
  .nullable()

const StoredEnd = z.object({
  /** Hash of the cookie that the browser received with the response. */
  browser: z.string(),
  ends_at_ms: z.number(),
  response: StoredResponse,
})

type RepeatDeps = Pick<Deps, 'redis' | 'encryptor' | 'auth_url' | 'usedLogins' | 'logger'>

/**
 * Stores the end of a login for a short time, encrypted: some browsers open a callback twice (Safari does), and show only
 * the second response. A failure to store it does not affect the login.
 *
 * @returns the outcome, with the cookie by which the browser is recognized
 */
export async function storeEnd(state: string, outcome: Outcome, deps: RepeatDeps): Promise<Outcome> {
  const value = newToken('', 16)
  const cookie = setCookie(cookieNameOf(state), value, repeatSeconds, deps.auth_url, 'lax')
  const ended = { ...outcome, cookies: [...(outcome.cookies ?? []), cookie] }
  const endsAtMs = Date.now() + repeatSeconds * 1_000
  const response = StoredResponse.safeParse(ended).data ?? null
  const stored = JSON.stringify({ browser: hashSecret(value), ends_at_ms: endsAtMs, response })
  const encrypted = deps.encryptor.encrypt(stored, encryptionContextOf(state)).toString('base64url')
  try {
    await deps.redis.set(keyOf(state), encrypted, 'EX', repeatSeconds)
  } catch (error) {
    deps.logger.warn({ error }, 'Redis is unavailable; a repeated callback gets an error page')
  }
  return response === null ? outcome : ended
}

/**
 * Returns the response again that a login ended with in this browser. Waits for it if the login is in progress; undefined if
 * there is none.
 *
 * @param isOwn whether the browser has the cookies of the login; otherwise it needs the cookie of the response
 */
export async function repeatEnd(
  state: string,
  sent: string | undefined,
  isOwn: boolean,
  deps: RepeatDeps,
): Promise<Outcome | undefined> {
  const value = readCookie(sent, cookieNameOf(state), deps.auth_url)
  if (!isOwn && value === undefined) return undefined
  const endsAtMs = ((await deps.usedLogins.usedAtMs(state)) ?? 0) + limits.login_deadline_ms
  for (;;) {
    const end = await findEnd(state, deps)
    if (end !== undefined) {
      const { browser, response } = end
      const isRecognized = isOwn || (value !== undefined && equalSecrets(hashSecret(value), browser))
      return isRecognized && response !== null ? { ...response, login: 'repeated' } : undefined
    }
    if (Date.now() >= endsAtMs) return undefined
    await setTimeout(pollMs)
  }
}

async function findEnd(state: string, { redis, encryptor }: RepeatDeps) {
  const encrypted = await redis.get(keyOf(state)).catch(() => null)
  if (encrypted === null) return undefined
  const plain = await encryptor.decryptReturned(Buffer.from(encrypted, 'base64url'), encryptionContextOf(state))
  const end = plain === undefined ? undefined : StoredEnd.parse(JSON.parse(plain))
  return end !== undefined && Date.now() < end.ends_at_ms ? end : undefined
}

function keyOf(state: string): string {
  return `provider-auth:login-response:${hashSecret(state)}`
}

/** Hashed, so that the name does not reveal the state. */
function cookieNameOf(state: string): string {
  return `returned-${hashSecret(state).slice(0, 12)}`
}

function encryptionContextOf(state: string): EncryptionContext {
  return ['login_responses', hashSecret(state)]
}
