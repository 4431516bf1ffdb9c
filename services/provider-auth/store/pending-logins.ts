import type { Redis } from 'ioredis'
import { z } from 'zod'
import { limits, Provider } from '#contracts'
import { hashSecret, type Place, type Sealer } from '#runtime'
import { CallbackRequest } from '../authorize/callback-request.ts'
import { AuthorizationRequest } from '../authorize/request.ts'

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
})
export type PendingLogin = z.infer<typeof PendingLogin>

interface Base {
  readonly redis: Redis
  readonly sealer: Sealer
}

/** @param state the handle that comes back from the provider; kept as a hash, so that the store opens no login */
export async function insertPendingLogin(redis: Redis, state: string, pending: PendingLogin): Promise<void> {
  await redis.set(keyOf(state), JSON.stringify(pending), 'EX', limits.pending_login_seconds)
}

/**
 * Keeps what the browser was made to post, sealed, for it holds the provider's code and a name. A second form takes the place
 * of the first.
 *
 * @returns false when there is no such login
 */
export async function keepReturned({ redis, sealer }: Base, state: string, form: string): Promise<boolean> {
  const key = keyOf(state)
  const pending = read(await redis.get(key))
  if (pending === undefined) return false
  const returned = sealer.seal(form, placeOf(key)).toString('base64')
  const kept = JSON.stringify({ ...pending, returned })
  return (await redis.set(key, kept, 'EX', limits.returned_form_seconds, 'XX')) !== null
}

/** Takes the login out: nobody can go on with it a second time. Undefined when it is not there or cannot be read. */
export async function removePendingLogin({ redis, sealer }: Base, state: string): Promise<PendingLogin | undefined> {
  const key = keyOf(state)
  const pending = read(await redis.getdel(key))
  if (pending === undefined || pending.returned === null) return pending
  try {
    return { ...pending, returned: sealer.open(Buffer.from(pending.returned, 'base64'), placeOf(key)) }
  } catch {
    return undefined
  }
}

function read(stored: string | null): PendingLogin | undefined {
  return stored === null ? undefined : PendingLogin.safeParse(JSON.parse(stored)).data
}

function keyOf(state: string): string {
  return `provider-auth:pending-login:${hashSecret(state)}`
}

function placeOf(key: string): Place {
  return ['pending_logins', key]
}
