import { z } from 'zod'
import { BrowserFamily, Identifier, LinkId, limits, PreciseTimestamp, Provider, ProviderUserId, Site } from '#contracts'
import { type EncryptionContext, type Encryptor, hashSecret, type RedisClient } from '#runtime'
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
  readonly redis: RedisClient
  readonly encryptor: Encryptor
}

/** A session that is named by its token. */
export interface NamedSession extends Pick<Session, 'site' | 'identifier'> {
  readonly token: string
}

/**
 * Adds a session to the list of its user, or marks it as used, and forgets sessions that have reached their idle timeout. Key: the list.
 * Arguments: the session, now, the idle timeout, and the maximum number of sessions. Returns the sessions beyond it.
 */
const listScript = `
local member, now, idle, most = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - idle)
redis.call('ZADD', KEYS[1], now, member)
redis.call('PEXPIRE', KEYS[1], idle)
return redis.call('ZRANGE', KEYS[1], 0, -most - 1)
`

/**
 * Stores a session encrypted, by the hash of its token, until its idle or absolute timeout.
 *
 * In a Redis Cluster, the session, the list of its user and other sessions are at different servers, so this takes several
 * steps. A session is in the list before it exists and until it is deleted, so that each can be ended by the list.
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
  // First: it does not count for the maximum, and if this fails, the browser still has one session.
  if (earlier !== undefined) await deleteSession({ redis }, earlier.token, earlier)
  const surplus = await markSessionUsed(redis, token, session)
  await Promise.all([
    redis.set(key, encrypted, 'PX', getLifetimeMs(session)),
    ...surplus.map((hash) => redis.del(keyPrefix + hash)),
  ])
  if (surplus.length > 0) await redis.zrem(userKeyOf(session), ...surplus)
}

const SessionHashes = z.array(z.string())

/** @returns hashes of the tokens of the user's sessions that are too many, the oldest first */
async function markSessionUsed(
  redis: RedisClient,
  token: string,
  session: Pick<Session, 'site' | 'identifier'>,
): Promise<string[]> {
  const values = [hashSecret(token), Date.now(), idleMs, limits.user_sessions]
  return SessionHashes.parse(await redis.eval(listScript, 1, userKeyOf(session), ...values))
}

/** The session of a token; undefined if it cannot be read. */
export async function findSession({ redis, encryptor }: Base, token: string): Promise<Session | undefined> {
  const key = keyOf(token)
  return decryptSession(key, await redis.getBuffer(key), encryptor)
}

/** Restarts the idle timeout. */
export async function touchSession({ redis }: Pick<Base, 'redis'>, token: string, session: Session): Promise<void> {
  await Promise.all([redis.pexpire(keyOf(token), getLifetimeMs(session)), markSessionUsed(redis, token, session)])
}

/** @param session undefined if it cannot be read: it stays in the list of its user until it would have expired */
export async function deleteSession(
  { redis }: Pick<Base, 'redis'>,
  token: string,
  session: Pick<Session, 'site' | 'identifier'> | undefined,
): Promise<void> {
  await redis.del(keyOf(token))
  if (session !== undefined) await redis.zrem(userKeyOf(session), hashSecret(token))
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
  const read = hashes.map(async (hash, index) => {
    const session = await decryptSession(keyPrefix + hash, await redis.getBuffer(keyPrefix + hash), encryptor)
    if (session === undefined || isSessionExpired(session)) return []
    return [{ session, token_hash: hash, last_used_at_ms: Number(listed[2 * index + 1]) }]
  })
  return (await Promise.all(read)).flat()
}

/** A session of a user to end, by the hash of its token. */
export const EndedSession = z.object({ site: Site, identifier: Identifier, token_hash: z.string() })

/** Ends sessions of a user by the hashes of their tokens. */
export async function deleteUserSessions(
  { redis }: Pick<Base, 'redis'>,
  user: Pick<Session, 'site' | 'identifier'>,
  hashes: readonly string[],
): Promise<void> {
  const deletions = hashes.map(async (hash) => ((await redis.del(keyPrefix + hash)) === 0 ? [] : [hash]))
  const deleted = (await Promise.all(deletions)).flat()
  // The others do not exist yet, or expired: a session that is being stored must stay in the list.
  if (deleted.length > 0) await redis.zrem(userKeyOf(user), ...deleted)
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
