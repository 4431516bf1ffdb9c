import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newCall, serveContract } from '#bus'
import { defineContract, Fault, providerAuth } from '#contracts'
import { callsOf, type Harness, logger, neverRecorded, newLinkId, startFriendship } from './harness.ts'

const { fetchFriendshipStatus } = providerAuth.procedures
type Answer = { friendship_status: boolean } | { provider_error: { error: string; error_description: string } }

/** The service that asks the messaging provider, as the bus shows it. */
async function answering(
  harness: Harness,
  answer: (asked: { link_id: string }) => Promise<Answer>,
): Promise<AsyncDisposable> {
  const asked = defineContract('providerAuth', { fetchFriendshipStatus })
  const served = serveContract(harness.bus, asked, { fetchFriendshipStatus: answer }, undefined, {
    logger,
    registry: new Registry(),
  })
  await harness.bus.connection.flush()
  return served
}

let harness: Harness
let calls: ReturnType<typeof callsOf>
beforeAll(async () => {
  harness = await startFriendship()
  calls = callsOf(harness)
})
afterAll(() => harness[Symbol.asyncDispose]())

const refresh = (linkId: string) => harness.friendship.refreshStatus({ site: 1, link_id: linkId }, newCall())

test('the provider’s answer is returned and stored with its time', async () => {
  const linkId = newLinkId()
  await using _ = await answering(harness, async () => ({ friendship_status: true }))
  const before = Date.now()
  const answer = await refresh(linkId)
  expect(answer).toEqual({ friendship_status: true, friendship_status_updated_at: expect.any(String) })
  const updatedAt = Date.parse(answer.friendship_status_updated_at ?? '')
  expect(updatedAt).toBeGreaterThan(before - 1_000)
  expect(updatedAt).toBeLessThanOrEqual(Date.now())
  expect(await calls.read(linkId)).toEqual(answer)
})

test('when the provider fails the stored status is returned with the reason', async () => {
  const [known, unknown] = [newLinkId(), newLinkId()]
  const providerError = { error: 'invalid_token', error_description: 'The access token expired.' }
  await calls.record(known, true, 10)
  await using _ = await answering(harness, async () => ({ provider_error: providerError }))
  const kept = await calls.read(known)
  expect(await refresh(known)).toEqual({ ...kept, provider_error: providerError })
  expect(await refresh(unknown)).toEqual({ ...neverRecorded, provider_error: providerError })
  expect(await calls.read(known)).toEqual(kept)
})

test.each(['provider_not_linked', 'provider_settings_incomplete'] as const)('%s is passed on', async (fault) => {
  await using _ = await answering(harness, async () => {
    throw new Fault(fault)
  })
  await expect(refresh(newLinkId())).rejects.toMatchObject({ name: 'Fault', fault })
})

test("unavailable, within the caller's time, while nobody can ask the provider", async () => {
  const asked = { site: 1, link_id: newLinkId() }
  await expect(harness.friendship.refreshStatus(asked, newCall({ withinMs: 1_500 }))).rejects.toMatchObject({
    name: 'Fault',
    fault: 'unavailable',
  })
})

test('the answer about a link that was deleted while the provider was asked is not stored', async () => {
  const linkId = newLinkId()
  await using _ = await answering(harness, async (asked) => {
    await calls.deleteLinks(asked.link_id)
    return { friendship_status: true }
  })
  await refresh(linkId)
  expect(await calls.read(linkId)).toEqual(neverRecorded)
})
