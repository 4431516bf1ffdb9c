import { z } from 'zod'
import { LoginProvider, limits, Site, TestLoginOutcome } from '#contracts'
import { DecryptionError, type EncryptionContext, type Encryptor, hashSecret, type RedisClient } from '#runtime'

/** A test login of an administrator. If it is lost, the administrator tries again. */
const StoredTestLogin = z.object({
  site: Site,
  provider: LoginProvider,
  /** The member who started it; only this member may read it. */
  by: z.string(),
  outcome: TestLoginOutcome,
})
export type StoredTestLogin = z.infer<typeof StoredTestLogin>

interface Base {
  readonly redis: RedisClient
  readonly encryptor: Encryptor
}

/** Stores a test login encrypted, by the hash of its state, because its result is personal data. */
export async function insertTestLogin(
  { redis, encryptor }: Base,
  state: string,
  started: StoredTestLogin,
): Promise<void> {
  const key = keyOf(state)
  await redis.set(
    key,
    encryptor.encrypt(JSON.stringify(started), encryptionContextOf(key)),
    'EX',
    limits.pending_login_seconds,
  )
}

/** Undefined if there is none or it cannot be read. */
export async function findTestLogin({ redis, encryptor }: Base, state: string): Promise<StoredTestLogin | undefined> {
  const key = keyOf(state)
  const encrypted = await redis.getBuffer(key)
  if (encrypted === null) return undefined
  try {
    return StoredTestLogin.safeParse(JSON.parse(await encryptor.decrypt(encrypted, encryptionContextOf(key)))).data
  } catch (error) {
    if (error instanceof DecryptionError) return undefined
    throw error
  }
}

/** Stores the result of a test login for its remaining lifetime. */
export async function updateTestLogin(
  { redis, encryptor }: Base,
  state: string,
  ended: StoredTestLogin,
): Promise<void> {
  const key = keyOf(state)
  // KEEPTTL and XX are atomic: otherwise a result that arrives at expiry would be stored forever.
  await redis.set(key, encryptor.encrypt(JSON.stringify(ended), encryptionContextOf(key)), 'KEEPTTL', 'XX')
}

function keyOf(state: string): string {
  return `provider-auth:test-login:${hashSecret(state)}`
}

function encryptionContextOf(key: string): EncryptionContext {
  return ['test_logins', key]
}
