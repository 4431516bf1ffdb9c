import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newCall, serveContract } from '#bus'
import { defineContract, Fault, providerAuthContract } from '#contracts'
import { callsOf, type Harness, logger, neverRecorded, newLinkId, startFriendship } from './harness.ts'

const { fetchFriendshipStatus } = providerAuthContract.procedures
type Reply = { friendship_status: boolean } | { provider_error: { error: string; error_description: string } }

/** A test double of provider-auth on the bus. */
async function serveProviderAuth(
  harness: Harness,
  reply: (input: { link_id: string }) => Promise<Reply>,
): Promise<AsyncDisposable> {
  const input = defineContract('providerAuth', { fetchFriendshipStatus })
  const served = serveContract(harness.bus, input, { fetchFriendshipStatus: reply }, undefined, {
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

test('the provider’s status is returned and stored with its time', async () => {
  const linkId = newLinkId()
  await using _ = await serveProviderAuth(harness, async () => ({ friendship_status: true }))
  const before = Date.now()
  const reply = await refresh(linkId)
  expect(reply).toEqual({ friendship_status: true, friendship_status_updated_at: expect.any(String) })
  const updatedAt = Date.parse(reply.friendship_status_updated_at ?? '')
  expect(updatedAt).toBeGreaterThan(before - 1_000)
  expect(updatedAt).toBeLessThanOrEqual(Date.now())
  expect(await calls.read(linkId)).toEqual(reply)
})

test('if the provider fails, the stored status is returned with the reason', async () => {
  const [known, unknown] = [newLinkId(), newLinkId()]
  const providerError = { error: 'invalid_token', error_description: 'The access token expired.' }
  await calls.record(known, true, 10)
  await using _ = await serveProviderAuth(harness, async () => ({ provider_error: providerError }))
  const storedStatus = await calls.read(known)
  expect(await refresh(known)).toEqual({ ...storedStatus, provider_error: providerError })
  expect(await refresh(unknown)).toEqual({ ...neverRecorded, provider_error: providerError })
  expect(await calls.read(known)).toEqual(storedStatus)
})

test.each(['provider_not_linked', 'provider_settings_incomplete'] as const)('%s is passed on', async (fault) => {
  await using _ = await serveProviderAuth(harness, async () => {
    throw new Fault(fault)
  })
  await expect(refresh(newLinkId())).rejects.toMatchObject({ name: 'Fault', fault })
})

test("unavailable within the caller's time while provider-auth is unavailable", async () => {
  const input = { site: 1, link_id: newLinkId() }
  await expect(harness.friendship.refreshStatus(input, newCall({ withinMs: 1_500 }))).rejects.toMatchObject({
    name: 'Fault',
    fault: 'unavailable',
  })
})

test('the status of a link that was deleted during the call to the provider is not stored', async () => {
  const linkId = newLinkId()
  await using _ = await serveProviderAuth(harness, async (input) => {
    await calls.deleteLinks(input.link_id)
    return { friendship_status: true }
  })
  await refresh(linkId)
  expect(await calls.read(linkId)).toEqual(neverRecorded)
})
