import type { Redis } from 'ioredis'
import { z } from 'zod'
import { BrowserFamily, Identifier, LinkId, limits, PreciseTimestamp, Provider, ProviderUserId, Site } from '#contracts'
import { type EncryptionContext, type Encryptor, hashSecret } from '#runtime'
import { scopes } from '../domain/scopes.ts'

/** A browser's login to a site, for `prompt=none` and `auth_time`. If it is lost, the end user has to log in again. */
export const Session = z.object({
  site: Site,
  identifier: Identifier,
  link_id: LinkId,
  provider: Provider,
  provider_user_id: ProviderUserId,
  /** When identity recorded the login. */
  recorded_at: PreciseTimestamp,
  /**
   * When the end user authenticated, and when the first session began that this one continues; Unix time in
   * milliseconds.
   */
  auth_time_ms: z.number(),
  began_at_ms: z.number(),
  /** Absent from sessions of an earlier release. */
  browser: BrowserFamily.optional(),
  /** The provider's, for a later logout there; absent if it has none. */
  provider_id_token: z.string().optional(),
  /** The claims by requested scope. */
  claims: z.partialRecord(z.enum(scopes), z.record(z.string(), z.unknown())),
})
export type Session = z.infer<typeof Session>

interface Base {
  readonly redis: Redis
  readonly encryptor: Encryptor
}

/** A session that is named by its token. */
export interface NamedSession extends Pick<Session, 'site' | 'identifier'> {
  readonly token: string
}

/**
 * Stores a session, adds it to those of its user, and deletes the one that it continues, in one step. Keys: the session, the list of
 * its user, the earlier session and its list.
 */
const insertScript = `
local value, lifetime, now, idle, member, earlier = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4]), ARGV[5], ARGV[6]
if earlier ~= '' then
  redis.call('DEL', KEYS[3])
  redis.call('ZREM', KEYS[4], earlier)
end
redis.call('SET', KEYS[1], value, 'PX', lifetime)
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now - idle)
redis.call('ZADD', KEYS[2], now, member)
redis.call('PEXPIRE', KEYS[2], idle)
local surplus = redis.call('ZCARD', KEYS[2]) - tonumber(ARGV[7])
if surplus > 0 then
  for _, oldest in ipairs(redis.call('ZRANGE', KEYS[2], 0, surplus - 1)) do
    redis.call('DEL', ARGV[8] .. oldest)
    redis.call('ZREM', KEYS[2], oldest)
  end
end
`

/**
 * Stores a session encrypted, by the hash of its token, until its idle or absolute timeout.
 *
 * @param earlier the session that it continues, which ends
 */
export async function insertSession(
  { redis, encryptor }: Base,
  token: string,
  session: Session,
  earlier?: NamedSession,
): Promise<void> {
  const key = keyOf(token)
  const encrypted = encryptor.encrypt(JSON.stringify(session), encryptionContextOf(key))
  const listKey = userKeyOf(session)
  const keys = [
    key,
    listKey,
    earlier === undefined ? key : keyOf(earlier.token),
    earlier ? userKeyOf(earlier) : listKey,
  ]
  await redis.eval(
    insertScript,
    keys.length,
    ...keys,
    encrypted,
    getLifetimeMs(session),
    Date.now(),
    idleMs,
    hashSecret(token),
    earlier === undefined ? '' : hashSecret(earlier.token),
    limits.user_sessions,
    keyPrefix,
  )
}

/** The session of a token; undefined if it cannot be read. */
export async function findSession({ redis, encryptor }: Base, token: string): Promise<Session | undefined> {
  const key = keyOf(token)
  return decryptSession(key, await redis.getBuffer(key), encryptor)
}

/** Restarts the idle timeout. */
export async function touchSession({ redis }: Pick<Base, 'redis'>, token: string, session: Session): Promise<void> {
  const listKey = userKeyOf(session)
  const changes = redis.multi().pexpire(keyOf(token), getLifetimeMs(session))
  await changes.zadd(listKey, Date.now(), hashSecret(token)).pexpire(listKey, idleMs).exec()
}

/** @param session undefined if it cannot be read: it stays in the list of its user until it would have expired */
export async function deleteSession(
  { redis }: Pick<Base, 'redis'>,
  token: string,
  session: Pick<Session, 'site' | 'identifier'> | undefined,
): Promise<void> {
  const changes = redis.multi().del(keyOf(token))
  await (session === undefined ? changes : changes.zrem(userKeyOf(session), hashSecret(token))).exec()
}

/** A session of a user in any browser. */
export interface UserSession {
  readonly session: Session
  /** The hash of its token. */
  readonly token_hash: string
  /** Unix time in milliseconds. */
  readonly last_used_at_ms: number
}

/** Lists the sessions of a user, the one that was used last first. */
export async function listUserSessions(
  { redis, encryptor }: Base,
  user: Pick<Session, 'site' | 'identifier'>,
): Promise<UserSession[]> {
  const listed = await redis.zrevrange(userKeyOf(user), 0, -1, 'WITHSCORES')
  const hashes = listed.filter((_, index) => index % 2 === 0)
  if (hashes.length === 0) return []
  const values = await redis.mgetBuffer(hashes.map((hash) => keyPrefix + hash))
  const read = hashes.map(async (hash, index) => {
    const session = await decryptSession(keyPrefix + hash, values[index] ?? null, encryptor)
    if (session === undefined || isSessionExpired(session)) return []
    return [{ session, token_hash: hash, last_used_at_ms: Number(listed[2 * index + 1]) }]
  })
  return (await Promise.all(read)).flat()
}

/** Ends sessions of a user by the hashes of their tokens. */
export async function deleteUserSessions(
  { redis }: Pick<Base, 'redis'>,
  user: Pick<Session, 'site' | 'identifier'>,
  hashes: readonly string[],
): Promise<void> {
  if (hashes.length === 0) return
  const keys = hashes.map((hash) => keyPrefix + hash)
  await redis
    .multi()
    .del(...keys)
    .zrem(userKeyOf(user), ...hashes)
    .exec()
}

async function decryptSession(
  key: string,
  encrypted: Buffer | null,
  encryptor: Encryptor,
): Promise<Session | undefined> {
  if (encrypted === null) return undefined
  try {
    return Session.safeParse(JSON.parse(await encryptor.decrypt(encrypted, encryptionContextOf(key)))).data
  } catch {
    return undefined
  }
}

/** Whether a session has reached its absolute timeout. */
export function isSessionExpired({ began_at_ms }: Pick<Session, 'began_at_ms'>): boolean {
  return Date.now() >= began_at_ms + limits.session_absolute_seconds * 1_000
}

function getLifetimeMs({ began_at_ms }: Session): number {
  const leftMs = began_at_ms + limits.session_absolute_seconds * 1_000 - Date.now()
  return Math.max(1, Math.min(idleMs, leftMs))
}

const idleMs = limits.session_idle_seconds * 1_000
const keyPrefix = 'provider-auth:session:'

function keyOf(token: string): string {
  return keyPrefix + hashSecret(token)
}

/** The key of the list of a user's sessions: hashes of tokens by when the sessions were used last. */
function userKeyOf({ site, identifier }: Pick<Session, 'site' | 'identifier'>): string {
  return `provider-auth:user-sessions:${site}:${hashSecret(identifier)}`
}

function encryptionContextOf(key: string): EncryptionContext {
  return ['sessions', key]
}
