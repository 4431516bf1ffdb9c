import { afterAll, beforeAll, expect, test } from 'vitest'
import { at, callsOf, type Harness, neverRecorded, newLinkId, startFriendship } from './harness.ts'

let harness: Harness
let calls: ReturnType<typeof callsOf>
beforeAll(async () => {
  harness = await startFriendship()
  calls = callsOf(harness)
})
afterAll(() => harness[Symbol.asyncDispose]())

test('a status that was never recorded is null', async () => {
  expect(await calls.read(newLinkId())).toEqual(neverRecorded)
})

test('the newest status is stored, an older one ignored, each of its own link', async () => {
  const linkId = newLinkId()
  await calls.record(linkId, true, 10)
  expect(await calls.read(linkId)).toEqual({ friendship_status: true, friendship_status_updated_at: at(10) })
  await calls.record(linkId, false, 20)
  await calls.record(linkId, true, 15)
  expect(await calls.read(linkId)).toEqual({ friendship_status: false, friendship_status_updated_at: at(20) })
  expect(await calls.read(newLinkId())).toEqual(neverRecorded)
})

test('of many concurrent statuses the latest is stored, regardless of their order', async () => {
  const linkId = newLinkId()
  const times = [3, 19, 7, 1, 12, 18, 5, 16]
  await Promise.all(times.map((seconds) => calls.record(linkId, seconds === 19, seconds)))
  expect(await calls.read(linkId)).toEqual({ friendship_status: true, friendship_status_updated_at: at(19) })
})

test('a deleted link has no status, and none is stored afterwards, also if it was unknown or the deletion is repeated', async () => {
  const [known, unknown, other] = [newLinkId(), newLinkId(), newLinkId()]
  for (const linkId of [known, other]) await calls.record(linkId, true, 10)
  for (let times = 0; times < 2; times++) {
    await calls.deleteLinks(known, unknown)
    for (const linkId of [known, unknown]) {
      await calls.record(linkId, true, 30)
      expect(await calls.read(linkId)).toEqual(neverRecorded)
    }
  }
  expect(await calls.read(other)).toMatchObject({ friendship_status: true })
})

test('statuses that arrive while their link is deleted are not stored', async () => {
  for (let round = 0; round < 5; round++) {
    const [linkId, other] = [newLinkId(), newLinkId()]
    await Promise.all([
      calls.record(linkId, true, 10),
      calls.deleteLinks(linkId, other),
      calls.record(linkId, false, 20),
      calls.deleteLinks(other, linkId),
      calls.record(other, true, 20),
    ])
    for (const deleted of [linkId, other]) expect(await calls.read(deleted)).toEqual(neverRecorded)
  }
})

test('after an outage of NATS the service responds again, and stored data is not lost', async () => {
  const linkId = newLinkId()
  await calls.record(linkId, true, 10)
  await harness.nats.stop()
  await harness.nats.start()
  const request = () => calls.read(linkId).catch((error: unknown) => error)
  await expect.poll(request).toMatchObject({ friendship_status: true })
})
