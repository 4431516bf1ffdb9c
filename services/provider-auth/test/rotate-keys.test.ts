import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import type { RunningService } from '#runtime'
import { nodeEnvironment } from '#testing'
import { KeyRotationError, rotateSigningKeys, withdrawSigningKey } from '../openid/signing-keys/rotate.ts'
import {
  activationDelaySeconds,
  reloadIntervalSeconds,
  withdrawalDelaySeconds,
} from '../openid/signing-keys/schedule.ts'
import { fetchKeys, type Logins, redirectUri, startLogins, type TestClient } from './logins.ts'

/** The replicas' half-minute reloads, in the order of their start. */
const reloads: (() => Promise<void>)[] = []
let logins: Logins
let client: TestClient
let second: RunningService<{ port: number }>
let bases: [string, string]
beforeAll(async () => {
  const originalSetInterval = globalThis.setInterval
  const spy = vi.spyOn(globalThis, 'setInterval').mockImplementation((act, everyMs, ...rest) => {
    if (everyMs === reloadIntervalSeconds * 1_000) reloads.push(async () => act())
    return originalSetInterval(act, everyMs, ...rest)
  })
  logins = await startLogins()
  second = await logins.startReplica()
  spy.mockRestore()
  client = await logins.registerClient()
  bases = [logins.auth, `http://localhost:${second.exposed.port}`]
})
afterAll(async () => {
  await second.stop()
  await logins[Symbol.asyncDispose]()
})

const reload = (replica: 0 | 1) => reloads[replica]?.()
const kidsOf = async (base: string) => (await fetchKeys(base)).map(({ kid }) => kid)

/** Advances the time of the keys. */
async function pass(seconds: number): Promise<void> {
  await logins.knex.raw(
    `update signing_keys set activates_at = activates_at - make_interval(secs => :seconds),
       withdrawn_at = withdrawn_at - make_interval(secs => :seconds)`,
    { seconds },
  )
}

/** An ID Token that a replica has just signed. */
async function tokenOf(replica: 0 | 1): Promise<string> {
  const { code } = await logins.endLogin(client.client_id)
  const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, ...client }
  const response = await fetch(`${bases[replica]}/oauth2/token`, { method: 'POST', body: new URLSearchParams(form) })
  return z.object({ id_token: z.string() }).parse(await response.json()).id_token
}
const kidOf = (token: string) => decodeProtectedHeader(token).kid

/** A relying party that caches the keys as long as it may. */
function relyingParty() {
  const keys = createRemoteJWKSet(new URL(`${bases[0]}/oauth2/jwks`), {
    cooldownDuration: Number.POSITIVE_INFINITY,
    cacheMaxAge: Number.POSITIVE_INFINITY,
  })
  return {
    verify: (token: string) => jwtVerify(token, keys, { issuer: logins.auth, audience: client.client_id }),
    askAgain: () => keys.reload(),
  }
}

beforeEach(async () => {
  await pass(2 * (activationDelaySeconds + withdrawalDelaySeconds))
  await Promise.all([reload(0), reload(1)])
})

test('during a rotation with two replicas no verification fails', async () => {
  const party = relyingParty()
  await party.askAgain()
  const before = await kidsOf(bases[0])
  const old = kidOf(await tokenOf(0))
  const created = await rotateSigningKeys(logins)
  const allVerify = async () => {
    const tokens = await Promise.all([tokenOf(0), tokenOf(1)])
    for (const token of tokens) await party.verify(token)
    return tokens
  }
  // No replica knows the new key, then one, then both: the old key signs throughout.
  for (const hear of [async () => undefined, () => reload(0), () => reload(1)]) {
    await hear()
    expect((await allVerify()).map(kidOf)).toEqual([old, old])
  }
  expect((await kidsOf(bases[1])).sort()).toEqual([...before, ...created].sort())

  // A relying party with cached keys has reloaded them once before a new key signs; then one replica uses the new key
  // before the other.
  await party.askAgain()
  await pass(activationDelaySeconds)
  await reload(0)
  const [byNew, byOld] = await allVerify()
  expect(created).toContain(kidOf(byNew ?? ''))
  expect(kidOf(byOld ?? '')).toBe(old)
  await reload(1)
  for (const token of await allVerify()) expect(created).toContain(kidOf(token))

  // The last token of the old key has expired.
  // Far enough from the end that a busy machine does not reach it.
  await pass(withdrawalDelaySeconds - 60)
  await reload(0)
  expect(await kidsOf(bases[0])).toHaveLength(4)
  await pass(60)
  await Promise.all([reload(0), reload(1)])
  expect((await kidsOf(bases[0])).sort()).toEqual([...created].sort())
  await party.askAgain()
  await allVerify()
})

test('a rotation during another one is rejected and changes nothing', async () => {
  await rotateSigningKeys(logins)
  await reload(0)
  const before = await kidsOf(bases[0])
  await expect(rotateSigningKeys(logins)).rejects.toThrow(KeyRotationError)
  await reload(0)
  expect(await kidsOf(bases[0])).toEqual(before)
})

test('a withdrawn key is not published any more, its tokens are invalid, and a new key signs immediately', async () => {
  const party = relyingParty()
  const token = await tokenOf(0)
  await party.verify(token)
  const next = await withdrawSigningKey(logins, kidOf(token) ?? '')
  await Promise.all([reload(0), reload(1)])
  expect(await kidsOf(bases[1])).not.toContain(kidOf(token))
  await party.askAgain()
  await expect(party.verify(token)).rejects.toThrow('no applicable key')
  const later = await tokenOf(1)
  expect(kidOf(later)).toBe(next)
  await party.verify(later)
  await expect(withdrawSigningKey(logins, kidOf(token) ?? '')).rejects.toThrow(KeyRotationError)
})

test('withdrawn during a rotation: the next key signs immediately, never the outgoing one', async () => {
  const old = kidOf(await tokenOf(0)) ?? ''
  const created = await rotateSigningKeys(logins)
  const next = await withdrawSigningKey(logins, old)
  expect(created).toContain(next)
  await reload(0)
  expect(kidOf(await tokenOf(0))).toBe(next)

  await pass(activationDelaySeconds + withdrawalDelaySeconds)
  const [third = ''] = await rotateSigningKeys(logins)
  await pass(activationDelaySeconds)
  const spare = await withdrawSigningKey(logins, third)
  expect([third, next]).not.toContain(spare)
  await reload(0)
  expect(kidOf(await tokenOf(0))).toBe(spare)
})

test('the command prints its result and errors', async () => {
  const run = (...command: string[]) =>
    promisify(execFile)(process.execPath, ['services/provider-auth/rotate-keys.ts', ...command], {
      env: {
        ...nodeEnvironment,
        DATABASE_URL: logins.serviceStack.database_urls.provider_auth,
        ENCRYPTION_KEYS: logins.encryption_keys,
      },
    })
  const { stdout } = await run()
  const [, kid = ''] = /^published: ([\w-]{43}), [\w-]{43}\n/.exec(stdout) ?? []
  expect(stdout).toContain(`The new keys start signing in ${activationDelaySeconds} seconds`)
  await expect(run()).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('A rotation is in progress') })
  expect((await run('withdraw', kid)).stdout).toMatch(new RegExp(`^withdrawn: ${kid}\nsigning: [\\w-]{43}\n$`))
  await expect(run('withdraw', kid)).rejects.toMatchObject({
    code: 1,
    stderr: `rotate-keys: The key ${kid} does not exist.\n`,
  })
  await expect(run('withdraw')).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(/^usage: /) })
})
