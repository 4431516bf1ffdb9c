import type { Redis } from 'ioredis'
import { z } from 'zod'
import { LoginProvider, limits, Site, TestLoginOutcome } from '#contracts'
import { DecryptionError, type EncryptionContext, type Encryptor, hashSecret } from '#runtime'

/** A login that somebody looks at to try a provider's settings. Losing one costs another try, nothing else. */
const StoredTestLogin = z.object({
  site: Site,
  provider: LoginProvider,
  /** Who began it, and alone may read it. */
  by: z.string(),
  outcome: TestLoginOutcome,
})
export type TestLogin = z.infer<typeof StoredTestLogin>

interface Base {
  readonly redis: Redis
  readonly encryptor: Encryptor
}

/** Keeps a test login by the hash of its state, encrypted: what comes of it is a person's data. */
export async function insertTestLogin({ redis, encryptor }: Base, state: string, begun: TestLogin): Promise<void> {
  const key = keyOf(state)
  await redis.set(
    key,
    encryptor.encrypt(JSON.stringify(begun), encryptionContextOf(key)),
    'EX',
    limits.pending_login_seconds,
  )
}

/** Undefined when there is none, or it cannot be read. */
export async function findTestLogin({ redis, encryptor }: Base, state: string): Promise<TestLogin | undefined> {
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

/** Keeps what came of a test login for what is left of its time. */
export async function updateTestLogin({ redis, encryptor }: Base, state: string, ended: TestLogin): Promise<void> {
  const key = keyOf(state)
  // Atomic with its end: it would be kept for ever otherwise.
  await redis.set(key, encryptor.encrypt(JSON.stringify(ended), encryptionContextOf(key)), 'KEEPTTL', 'XX')
}

function keyOf(state: string): string {
  return `provider-auth:test-login:${hashSecret(state)}`
}

function encryptionContextOf(key: string): EncryptionContext {
  return ['test_logins', key]
}
