import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hashSecret } from '#runtime'
import { type Harness, refusal, startIdentity } from './harness.ts'

let harness: Harness
let site: number
beforeAll(async () => {
  harness = await startIdentity()
  await harness.startReplica()
  site = await harness.newSite()
})
afterAll(() => harness[Symbol.asyncDispose]())

const newRequest = () => ({ site, idempotency_key: hashSecret(randomUUID()), request: hashSecret('create_user') })
const claim = (request: ReturnType<typeof newRequest>) => harness.identity.claimAnswer(request, harness.call())
const keep = (kept: { command: string; answer?: string; about?: string }) =>
  harness.identity.keepAnswer({ site, ...kept }, harness.call())

/** Claims a request that is free. */
async function begin(request: ReturnType<typeof newRequest>): Promise<string> {
  const claimed = await claim(request)
  if ('kept' in claimed) throw new Error('The request was answered before.')
  return claimed.command
}

test('of fifty who claim a request at once one has it; all get its answer when it is kept', async () => {
  const request = newRequest()
  const claims = await Promise.allSettled(Array.from({ length: 50 }, () => claim(request)))
  const had = claims.flatMap((one) => (one.status === 'fulfilled' && 'command' in one.value ? [one.value.command] : []))
  expect(had).toHaveLength(1)
  for (const one of claims) if (one.status === 'rejected') expect(one.reason).toMatchObject(refusal('unavailable'))
  await keep({ command: had[0] ?? '', answer: 'encrypted' })
  expect(await claim(request)).toEqual({ kept: 'encrypted' })
  expect(await claim(request)).toEqual({ kept: 'encrypted' })
})

test('a claim that was given up, or whose time is over, is continued under the same command', async () => {
  const request = newRequest()
  const command = await begin(request)
  await keep({ command })
  expect(await begin(request)).toBe(command)
  await expect(claim(request)).rejects.toMatchObject(refusal('unavailable'))
  await harness.knex('answers').where({ command }).update({ claimed_until: harness.knex.fn.now() })
  expect(await begin(request)).toBe(command)
})

test('the first answer that is kept stays', async () => {
  const request = newRequest()
  const command = await begin(request)
  await keep({ command, answer: 'first' })
  await keep({ command, answer: 'second' })
  await keep({ command })
  expect(await claim(request)).toEqual({ kept: 'first' })
})

test('invalid_parameter: another request with the key, answered or under way, and never of another site', async () => {
  const request = newRequest()
  const command = await begin(request)
  const other = { ...request, request: hashSecret('delete_user') }
  await expect(claim(other)).rejects.toMatchObject(refusal('invalid_parameter'))
  await keep({ command, answer: 'encrypted' })
  await expect(claim(other)).rejects.toMatchObject(refusal('invalid_parameter'))
  expect(await claim({ ...other, site: await harness.newSite() })).toMatchObject({ command: expect.any(String) })
})

test('twenty creations with one command make one user, and are told the same', async () => {
  const command = await begin(newRequest())
  const links = [{ provider: 'messaging', provider_user_id: randomUUID() } as const]
  const create = () => harness.identity.createUser({ site, primary_key: 'commanded', links, command }, harness.call())
  const made = await Promise.all(Array.from({ length: 20 }, create))
  expect(new Set(made.map((answer) => JSON.stringify(answer))).size).toBe(1)
  expect(await create()).toEqual(made[0])
})

test('an answer about a user goes when the user goes, and is not kept of one who is gone', async () => {
  const { user } = await harness.identity.createUser({ site, links: [] }, harness.call())
  const [before, after] = [newRequest(), newRequest()]
  const [command, later] = [await begin(before), await begin(after)]
  await keep({ command, answer: 'encrypted', about: user.identifier })
  await harness.identity.deleteUser({ site, identifier: user.identifier }, harness.call())
  expect(await begin(before)).not.toBe(command)
  const kept = keep({ command: later, answer: 'encrypted', about: user.identifier })
  await expect(kept).rejects.toMatchObject(refusal('entity_not_found'))
})

test('records past their time are cleared by later claims', async () => {
  await harness.knex('answers').update({ expires_at: harness.knex.fn.now() })
  await Promise.all([1, 2, 3].map(() => begin(newRequest())))
  expect(await harness.knex('answers').whereRaw('expires_at <= now()')).toEqual([])
})
