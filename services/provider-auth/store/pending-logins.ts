import type { Redis } from 'ioredis'
import { z } from 'zod'
import { limits, Provider } from '#contracts'
import { hashSecret, type Place, SealBroken, type Sealer } from '#runtime'
import { CallbackRequest } from '../authorize/callback-request.ts'
import { AuthorizationRequest } from '../authorize/request.ts'
import { languages } from '../pages/texts.ts'

/** What the application asked for, told apart by what it gets. */
const PendingRequest = z.discriminatedUnion('response_type', [AuthorizationRequest, CallbackRequest])
export type PendingRequest = z.infer<typeof PendingRequest>

/** A login whose person is at the provider. Losing one costs a fresh start, nothing else. */
export const PendingLogin = z.object({
  login: z.uuid(),
  provider: Provider,
  login_provider_identifier: z.string(),
  request: PendingRequest,
  /** Hash of the cookie of the browser that began it. */
  browser: z.string(),
  /** What the provider's dialect needs at the finish. */
  kept: z.record(z.string(), z.string()),
  /** The form that the provider had the browser post, if it did. */
  returned: z.string().nullable().default(null),
  /** What the application wishes our pages to be in, also those at the person's return. */
  language: z.enum(languages).nullable().default(null),
})
export type PendingLogin = z.infer<typeof PendingLogin>

/**
 * Keeps a login sealed: it holds what the provider's answer is checked by.
 *
 * @param state the handle that comes back from the provider; kept as a hash, so that the store opens no login
 */
export async function insertPendingLogin({ redis, sealer }: Base, state: string, pending: PendingLogin): Promise<void> {
  const key = keyOf(state)
  const sealed = sealer.seal(JSON.stringify(pending), placeOf(key))
  await redis.set(key, sealed, 'EX', limits.pending_login_seconds)
}

/**
 * Keeps what the browser was made to post. A second form takes the place of the first.
 *
 * @returns false when there is no such login
 */
export async function keepReturned({ redis, sealer }: Base, state: string, returned: string): Promise<boolean> {
  const key = keyOf(state)
  const sealed = await redis.getBuffer(key)
  const pending = sealed === null ? undefined : await open(sealer, key, sealed)
  if (pending === undefined) return false
  const kept = sealer.seal(JSON.stringify({ ...pending, returned }), placeOf(key))
  return (await redis.set(key, kept, 'EX', limits.returned_form_seconds, 'XX')) !== null
}

/** Takes the login out: nobody can go on with it a second time. Undefined when it is not there or cannot be read. */
export async function removePendingLogin({ redis, sealer }: Base, state: string): Promise<PendingLogin | undefined> {
  const key = keyOf(state)
  const sealed = await redis.getdelBuffer(key)
  return sealed === null ? undefined : open(sealer, key, sealed)
}

async function open(sealer: Sealer, key: string, sealed: Buffer): Promise<PendingLogin | undefined> {
  try {
    return PendingLogin.safeParse(JSON.parse(await sealer.open(sealed, placeOf(key)))).data
  } catch (error) {
    if (error instanceof SealBroken) return undefined
    throw error
  }
}

interface Base {
  readonly redis: Redis
  readonly sealer: Sealer
}

function keyOf(state: string): string {
  return `provider-auth:pending-login:${hashSecret(state)}`
}

function placeOf(key: string): Place {
  return ['pending_logins', key]
}
