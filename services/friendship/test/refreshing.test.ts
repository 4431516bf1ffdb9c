import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newCall, serve } from '#bus'
import { contract, Fault, providerAuth } from '#contracts'
import { type Harness, logger, never_told, newUser, startFriendship, tell, type User } from './harness.ts'

const { askFriendStatus } = providerAuth.procedures
type Answer = { friendship_status: boolean } | { provider_error: { error: string; error_description: string } }

/** The service that asks the messaging provider, as the bus shows it. */
async function answering(harness: Harness, answer: (user: User) => Promise<Answer>): Promise<AsyncDisposable> {
  const asked = contract('providerAuth', { askFriendStatus })
  const served = serve(harness.bus, asked, { askFriendStatus: answer }, undefined, { logger, registry: new Registry() })
  await harness.bus.connection.flush()
  return served
}

let harness: Harness
let told: ReturnType<typeof tell>
beforeAll(async () => {
  harness = await startFriendship()
  told = tell(harness)
})
afterAll(() => harness[Symbol.asyncDispose]())

const refresh = (user: User) => harness.friendship.refreshStatus(user, newCall())

test('what the provider says is answered and kept with its time', async () => {
  const user = newUser()
  await using _ = await answering(harness, async () => ({ friendship_status: true }))
  const before = Date.now()
  const answer = await refresh(user)
  expect(answer).toEqual({ friendship_status: true, friendship_status_updated_at: expect.any(String) })
  const updated_at = Date.parse(answer.friendship_status_updated_at ?? '')
  expect(updated_at).toBeGreaterThan(before - 1_000)
  expect(updated_at).toBeLessThanOrEqual(Date.now())
  expect(await told.read(user)).toEqual(answer)
})

test('when the provider fails the status kept before is answered with the reason', async () => {
  const [known, unknown] = [newUser(), newUser()]
  const provider_error = { error: 'invalid_token', error_description: 'The access token expired.' }
  await told.record(known, true, 10)
  await using _ = await answering(harness, async () => ({ provider_error }))
  const kept = await told.read(known)
  expect(await refresh(known)).toEqual({ ...kept, provider_error })
  expect(await refresh(unknown)).toEqual({ ...never_told, provider_error })
  expect(await told.read(known)).toEqual(kept)
})

test.each(['provider_not_linked', 'provider_settings_incomplete'] as const)('%s is passed on', async (fault) => {
  await using _ = await answering(harness, async () => {
    throw new Fault(fault)
  })
  await expect(refresh(newUser())).rejects.toMatchObject({ name: 'Fault', fault })
})

test("unavailable, within the caller's time, while nobody can ask the provider", async () => {
  await expect(harness.friendship.refreshStatus(newUser(), newCall({ within_ms: 1_500 }))).rejects.toMatchObject({
    name: 'Fault',
    fault: 'unavailable',
  })
})

test('what the provider says of a user who was forgotten or unlinked while it was asked is not kept', async () => {
  const [forgotten, unlinked] = [newUser(), newUser()]
  await using _ = await answering(harness, async (user) => {
    if (user.identifier === forgotten.identifier) await harness.friendship.forgetUser(forgotten, newCall())
    else {
      const unlinked_at = new Date().toISOString()
      await harness.friendship.removeStatus({ ...unlinked, unlinked_at }, newCall())
    }
    return { friendship_status: true }
  })
  for (const user of [forgotten, unlinked]) {
    await refresh(user)
    expect(await told.read(user)).toEqual(never_told)
  }
})
