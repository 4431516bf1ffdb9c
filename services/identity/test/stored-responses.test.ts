import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newCall } from '#bus'
import { hashSecret } from '#runtime'
import { deleteExpiredResponses } from '../store/stored-responses.ts'
import { faultMatching, type Harness, startIdentity } from './harness.ts'

let harness: Harness
let site: number
beforeAll(async () => {
  harness = await startIdentity()
  await harness.startReplica()
  site = await harness.newSite()
})
afterAll(() => harness[Symbol.asyncDispose]())

const newRequest = () => ({ site, idempotency_key: hashSecret(randomUUID()), request: hashSecret('create_user') })
const claim = (request: ReturnType<typeof newRequest> & { command?: string }) =>
  harness.identity.claimRequest(request, harness.call())
const store = (response: { command: string; response?: string; identifier?: string }) =>
  harness.identity.storeResponse({ site, ...response }, harness.call())

/** Claims a request that has no claim. */
async function claimNew(request: ReturnType<typeof newRequest>): Promise<string> {
  const claimed = await claim(request)
  if ('response' in claimed) throw new Error('The request already has a response.')
  return claimed.command
}

test('of fifty concurrent claims one succeeds; all get the response after it is stored', async () => {
  const request = newRequest()
  const claims = await Promise.allSettled(Array.from({ length: 50 }, () => claim(request)))
  const had = claims.flatMap((one) => (one.status === 'fulfilled' && 'command' in one.value ? [one.value.command] : []))
  expect(had).toHaveLength(1)
  for (const one of claims)
    if (one.status === 'rejected') expect(one.reason).toMatchObject(faultMatching('unavailable'))
  await store({ command: had[0] ?? '', response: 'encrypted' })
  expect(await claim(request)).toEqual({ response: 'encrypted' })
  expect(await claim(request)).toEqual({ response: 'encrypted' })
})

test('an ended or expired claim is continued with the same command', async () => {
  const request = newRequest()
  const command = await claimNew(request)
  await store({ command })
  expect(await claimNew(request)).toBe(command)
  await expect(claim(request)).rejects.toMatchObject(faultMatching('unavailable'))
  await harness.knex('stored_responses').where({ command }).update({ claimed_until: harness.knex.fn.now() })
  expect(await claimNew(request)).toBe(command)
})

test('a claim that is repeated with its command gets the same answer', async () => {
  const request = { ...newRequest(), command: randomUUID() }
  const claimed = { command: request.command, repeated: false }
  expect([await claim(request), await claim(request)]).toEqual([claimed, claimed])
  await store({ command: request.command })
  expect(await claim({ ...request, command: randomUUID() })).toEqual({ command: request.command, repeated: true })
})

test('a claim ends two seconds after the deadline of its caller', async () => {
  const request = { ...newRequest(), command: randomUUID() }
  await harness.identity.claimRequest(request, newCall({ withinMs: 5_000 }))
  const { rows } = await harness.knex.raw(
    'select extract(epoch from claimed_until - now()) as seconds from stored_responses where command = ?',
    [request.command],
  )
  expect(Number(rows[0].seconds)).toBeGreaterThan(0)
  expect(Number(rows[0].seconds)).toBeLessThanOrEqual(7)
})

test('an attempt of a claim that arrives after the claim ended does not claim again', async () => {
  const first = { ...newRequest(), command: randomUUID() }
  const second = { ...first, command: randomUUID() }
  for (const request of [first, second]) {
    await claim(request)
    await store({ command: first.command })
    await expect(claim(request)).rejects.toMatchObject(faultMatching('unavailable'))
  }
  const repeat = await claim({ ...first, command: randomUUID() })
  expect(repeat).toEqual({ command: first.command, repeated: true })
})

test('the first stored response remains', async () => {
  const request = newRequest()
  const command = await claimNew(request)
  await store({ command, response: 'first' })
  await store({ command, response: 'second' })
  await store({ command })
  expect(await claim(request)).toEqual({ response: 'first' })
})

test('invalid_parameter for another request with the key, completed or in progress, but not of another site', async () => {
  const request = newRequest()
  const command = await claimNew(request)
  const other = { ...request, request: hashSecret('delete_user') }
  await expect(claim(other)).rejects.toMatchObject(faultMatching('invalid_parameter'))
  await store({ command, response: 'encrypted' })
  await expect(claim(other)).rejects.toMatchObject(faultMatching('invalid_parameter'))
  expect(await claim({ ...other, site: await harness.newSite() })).toMatchObject({ command: expect.any(String) })
})

test('twenty creations with one command create one user and return the same', async () => {
  const command = await claimNew(newRequest())
  const links = [{ provider: 'messaging', provider_user_id: randomUUID() } as const]
  const create = () => harness.identity.createUser({ site, primary_key: 'commanded', links, command }, harness.call())
  const made = await Promise.all(Array.from({ length: 20 }, create))
  expect(new Set(made.map((created) => JSON.stringify(created))).size).toBe(1)
  expect(await create()).toEqual(made[0])
})

test('a response is deleted with its user, and not stored for a deleted one', async () => {
  const { user } = await harness.identity.createUser({ site, links: [] }, harness.call())
  const [before, after] = [newRequest(), newRequest()]
  const [command, later] = [await claimNew(before), await claimNew(after)]
  await store({ command, response: 'encrypted', identifier: user.identifier })
  await harness.identity.deleteUser({ site, identifier: user.identifier }, harness.call())
  expect(await claimNew(before)).toBe(command)
  const storing = store({ command: later, response: 'encrypted', identifier: user.identifier })
  await expect(storing).rejects.toMatchObject(faultMatching('entity_not_found'))
})

test('expired rows of all sites are deleted, and no others', async () => {
  const expired = harness.knex('stored_responses').whereRaw('expires_at <= now()')
  const [request, other] = [newRequest(), { ...newRequest(), site: await harness.newSite() }]
  await Promise.all([claimNew(request), claimNew(other)])
  await harness.knex('stored_responses').update({ expires_at: harness.knex.fn.now() })
  const command = await claimNew(newRequest())
  expect(await expired.clone().where({ site: other.site })).toHaveLength(1)
  await deleteExpiredResponses(harness.knex)
  expect(await expired).toEqual([])
  expect(await harness.knex('stored_responses').where({ site, command })).toHaveLength(1)
})
