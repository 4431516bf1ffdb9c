import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { limits } from '#contracts'
import { errorResponses } from '../caller.ts'
import { unknownIdentifier } from '../patterns.ts'
import { createTestUser, setStage } from '../stage.ts'

const stage = setStage()

const read = async (identifier: string) => (await stage.web_api.get('consents', { identifier })).body
const record = (identifier: string, parameters: Record<string, string>) =>
  stage.web_api.post('record_consents', { identifier, ...parameters })
const answer = (document: string, version: number, accepted: boolean) => ({
  document,
  version,
  accepted,
  answered_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
})

test('a new user has answered nothing, found by either ID', async () => {
  const primaryKey = randomUUID()
  const identifier = await createTestUser(stage.web_api, { primary_key: primaryKey })
  const empty = { status: 'ok', identifier, consents: [] }
  expect(await read(identifier)).toEqual(empty)
  expect((await stage.web_api.get('consents', { primary_key: primaryKey })).body).toEqual(empty)
})

test('an answer replaces the earlier one to the same document; the same answer again keeps its time, and is no event', async () => {
  const identifier = await createTestUser(stage.web_api)
  await record(identifier, { accepted_documents: 'terms:1 newsletter:1' })
  const { body } = await record(identifier, { accepted_documents: 'terms:2', declined_documents: 'newsletter:1' })
  const after = [answer('newsletter', 1, false), answer('terms', 2, true)]
  expect(body).toEqual({ status: 'ok', identifier, consents: after })
  expect((await record(identifier, { accepted_documents: 'terms:2' })).body).toEqual(body)
  expect(await read(identifier)).toEqual(body)
  await record(identifier, { accepted_documents: 'privacy:1' })
  const events = { types: 'user.consents_changed', identifier, wait: '10' }
  await expect
    .poll(async () => (await stage.web_api.get('events', events)).body)
    .toMatchObject({
      events: [
        { data: { consents: [answer('newsletter', 1, true), answer('terms', 1, true)] } },
        { data: { consents: after } },
        { data: { consents: [after[0], answer('privacy', 1, true), after[1]] } },
      ],
    })
})

test('a user has answers to at most 50 documents: the latest stay', async () => {
  const identifier = await createTestUser(stage.web_api)
  const versions = Array.from({ length: limits.consents_per_user }, (_, index) => `d${index}:1`)
  const { identity, call } = stage.serviceStack
  const old = { document: 'old', version: 1, accepted: true, answered_at: '2020-01-01T00:00:00Z' }
  const user = { identifier, links: [], consents: [old] }
  await identity.importUsers({ site: stage.site.site, conflict: 'merge', users: [user], command: randomUUID() }, call())
  expect(await read(identifier)).toMatchObject({ consents: [old] })
  const { body } = await record(identifier, { accepted_documents: versions.join(' ') })
  expect(body).toEqual({
    status: 'ok',
    identifier,
    consents: versions.map((one) => answer(one.slice(0, -2), 1, true)).toSorted(byDocument),
  })
})

function byDocument(one: { document: string }, other: { document: string }): number {
  return one.document < other.document ? -1 : 1
}

test.each([
  ['terms', 'wrong_format'],
  ['terms:0', 'wrong_format'],
  ['Terms:1', 'wrong_format'],
  ['terms:1,privacy:1', 'wrong_format'],
  ['terms:1  privacy:1', 'wrong_format'],
  ['terms:1 terms:2', 'wrong_format'],
  ['terms:1000000000', 'out_of_range'],
])('400/6 for documents that are not a list with versions: %s', async (documents, reason) => {
  const identifier = await createTestUser(stage.web_api)
  expect(await record(identifier, { accepted_documents: documents })).toMatchObject({
    ...errorResponses.invalid_parameter,
    body: { error: { reason, parameter: 'accepted_documents' } },
  })
  const both = { accepted_documents: 'terms:1', declined_documents: 'terms:2' }
  expect(await record(identifier, both)).toMatchObject(errorResponses.invalid_parameter)
  expect(await read(identifier)).toMatchObject({ consents: [] })
})

test('a merge keeps the later answer to each document, with an event', async () => {
  const [source, destination] = [await createTestUser(stage.web_api), await createTestUser(stage.web_api)]
  const { identity, call } = stage.serviceStack
  const { site } = stage.site
  const importConsents = async (identifier: string, consents: { document: string; answered_at: string }[]) => {
    const users = [{ identifier, links: [], consents: consents.map((one) => ({ version: 1, accepted: true, ...one })) }]
    await identity.importUsers({ site, conflict: 'merge', users, command: randomUUID() }, call())
  }
  const [earlier, later] = ['2024-01-01T00:00:00Z', '2025-01-01T00:00:00Z']
  await importConsents(source, [
    { document: 'a', answered_at: earlier },
    { document: 'b', answered_at: later },
    { document: 'c', answered_at: earlier },
  ])
  await importConsents(destination, [
    { document: 'a', answered_at: later },
    { document: 'b', answered_at: earlier },
  ])
  await stage.web_api.post('merge_user', { source_identifier: source, dest_identifier: destination })
  const consents = [
    { document: 'a', answered_at: later },
    { document: 'b', answered_at: later },
    { document: 'c', answered_at: earlier },
  ]
  expect(await read(destination)).toMatchObject({ consents })
  const event = { types: 'user.consents_changed', identifier: destination, wait: '10' }
  await expect
    .poll(async () => (await stage.web_api.get('events', event)).body)
    .toMatchObject({ events: [{ data: {} }, { data: { consents } }] })
})

test('answers are deleted with their user, also in the response for a repeat', async () => {
  const identifier = await createTestUser(stage.web_api)
  const options = { headers: { 'idempotency-key': randomUUID() } }
  const repeat = () => stage.web_api.get('record_consents', { identifier, accepted_documents: 'secret:1' }, options)
  expect(await repeat()).toMatchObject({ status: 200 })
  await stage.web_api.post('delete_user', { identifier })
  expect(await read(identifier)).toMatchObject(errorResponses.entity_not_found.body)
  expect(await record(unknownIdentifier, { accepted_documents: 'terms:1' })).toMatchObject(
    errorResponses.entity_not_found,
  )
  expect(await repeat()).toMatchObject(errorResponses.entity_not_found)
  await expect
    .poll(async () => JSON.stringify((await stage.web_api.get('events', { identifier })).body))
    .toMatch(/^(?=.*user\.deleted)(?!.*secret)/)
})
