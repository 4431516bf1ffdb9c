import type { Redis } from 'ioredis'
import { z } from 'zod'
import { Identifier, LinkId, limits, PreciseTimestamp, Provider, ProviderUserId, Site } from '#contracts'
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

/** Stores a session encrypted, by the hash of its token, until its idle or absolute timeout. */
export async function insertSession({ redis, encryptor }: Base, token: string, session: Session): Promise<void> {
  const key = keyOf(token)
  const encrypted = encryptor.encrypt(JSON.stringify(session), encryptionContextOf(key))
  await redis.set(key, encrypted, 'PX', getLifetimeMs(session))
}

/** The session of a token; undefined if it cannot be read. */
export async function findSession({ redis, encryptor }: Base, token: string): Promise<Session | undefined> {
  const key = keyOf(token)
  const encrypted = await redis.getBuffer(key)
  if (encrypted === null) return undefined
  try {
    return Session.safeParse(JSON.parse(await encryptor.decrypt(encrypted, encryptionContextOf(key)))).data
  } catch {
    return undefined
  }
}

/** Restarts the idle timeout. */
export async function touchSession({ redis }: Pick<Base, 'redis'>, token: string, session: Session): Promise<void> {
  await redis.pexpire(keyOf(token), getLifetimeMs(session))
}

export async function deleteSession({ redis }: Pick<Base, 'redis'>, token: string): Promise<void> {
  await redis.del(keyOf(token))
}

/** Whether a session has reached its absolute timeout. */
export function isSessionExpired({ began_at_ms }: Pick<Session, 'began_at_ms'>): boolean {
  return Date.now() >= began_at_ms + limits.session_absolute_seconds * 1_000
}

function getLifetimeMs({ began_at_ms }: Session): number {
  const leftMs = began_at_ms + limits.session_absolute_seconds * 1_000 - Date.now()
  return Math.max(1, Math.min(limits.session_idle_seconds * 1_000, leftMs))
}

function keyOf(token: string): string {
  return `provider-auth:session:${hashSecret(token)}`
}

function encryptionContextOf(key: string): EncryptionContext {
  return ['sessions', key]
}
