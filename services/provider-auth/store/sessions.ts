import type { Redis } from 'ioredis'
import { z } from 'zod'
import { Identifier, LinkId, limits, PreciseTimestamp, Provider, ProviderUserId, Site } from '#contracts'
import { type EncryptionContext, type Encryptor, hashSecret } from '#runtime'
import { scopes } from '../domain/scopes.ts'

/** That a browser logged in to a site, for `prompt=none` and `auth_time`. Losing one costs a login, nothing else. */
export const Session = z.object({
  site: Site,
  identifier: Identifier,
  link_id: LinkId,
  provider: Provider,
  provider_user_id: ProviderUserId,
  /** When identity recorded the login. */
  recorded_at: PreciseTimestamp,
  /** When the person authenticated, and when the session began that this one continues; Unix times in milliseconds. */
  auth_time_ms: z.number(),
  began_at_ms: z.number(),
  /** For each scope the person was asked for, its claims. */
  claims: z.partialRecord(z.enum(scopes), z.record(z.string(), z.unknown())),
})
export type Session = z.infer<typeof Session>

interface Base {
  readonly redis: Redis
  readonly encryptor: Encryptor
}

/** Keeps a session by the hash of its token, encrypted, until its idle or absolute limit. */
export async function insertSession({ redis, encryptor }: Base, token: string, session: Session): Promise<void> {
  const key = keyOf(token)
  const encrypted = encryptor.encrypt(JSON.stringify(session), encryptionContextOf(key))
  await redis.set(key, encrypted, 'PX', getLifetimeMs(session))
}

/** The session of a token, unless it cannot be read. */
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

/** Begins the idle time anew. */
export async function touchSession({ redis }: Pick<Base, 'redis'>, token: string, session: Session): Promise<void> {
  await redis.pexpire(keyOf(token), getLifetimeMs(session))
}

export async function deleteSession({ redis }: Pick<Base, 'redis'>, token: string): Promise<void> {
  await redis.del(keyOf(token))
}

/** Whether nothing of a session's absolute time is left. */
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
