import type { Redis } from 'ioredis'
import { z } from 'zod'
import { LoginProvider, limits, Site, TestLoginOutcome } from '#contracts'
import { hashSecret, type Place, SealBroken, type Sealer } from '#runtime'

/** A login that somebody looks at to try a provider's settings. Losing one costs another try, nothing else. */
const TestLogin = z.object({
  site: Site,
  provider: LoginProvider,
  /** Who began it, and alone may read it. */
  by: z.string(),
  outcome: TestLoginOutcome,
})
export type TestLogin = z.infer<typeof TestLogin>

interface Base {
  readonly redis: Redis
  readonly sealer: Sealer
}

/** Keeps a test login by the hash of its state, sealed: what comes of it is a person's data. */
export async function insertTestLogin({ redis, sealer }: Base, state: string, begun: TestLogin): Promise<void> {
  const key = keyOf(state)
  await redis.set(key, sealer.seal(JSON.stringify(begun), placeOf(key)), 'EX', limits.pending_login_seconds)
}

/** Undefined when there is none, or it cannot be read. */
export async function findTestLogin({ redis, sealer }: Base, state: string): Promise<TestLogin | undefined> {
  const key = keyOf(state)
  const sealed = await redis.getBuffer(key)
  if (sealed === null) return undefined
  try {
    return TestLogin.safeParse(JSON.parse(await sealer.open(sealed, placeOf(key)))).data
  } catch (error) {
    if (error instanceof SealBroken) return undefined
    throw error
  }
}

/** Keeps what came of a test login for what is left of its time. */
export async function updateTestLogin({ redis, sealer }: Base, state: string, ended: TestLogin): Promise<void> {
  const key = keyOf(state)
  // Atomic with its end: it would be kept for ever otherwise.
  await redis.set(key, sealer.seal(JSON.stringify(ended), placeOf(key)), 'KEEPTTL', 'XX')
}

function keyOf(state: string): string {
  return `provider-auth:test-login:${hashSecret(state)}`
}

function placeOf(key: string): Place {
  return ['test_logins', key]
}
