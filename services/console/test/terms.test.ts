import { expect, test } from 'vitest'
import { adminApi } from '#admin-api'
import { createUsageFixture } from './usage-fixture.ts'

const stage = createUsageFixture()

const terms = {
  name: 'terms',
  kind: 'required',
  version: 1,
  minimum_version: 1,
  texts: { en: { title: 'Terms of use', url: 'https://shop.example.com/{language}/terms' } },
}

async function listAuditEntries() {
  const { account, site_id } = stage.site
  const { body } = await stage.requestAdminApi('GET', `/accounts/${account}/audit?site_id=${site_id}`)
  return adminApi.listAudit.output.parse(body).entries
}

test('terms are replaced once for a revision, and each change is in the audit trail', async () => {
  const read = async () => (await stage.request('GET', '/terms')).body
  expect(await read()).toEqual({ documents: [], revision: 0 })
  const first = await stage.request('PUT', '/terms', { documents: [terms] }, 0)
  expect(first.body).toEqual({ documents: [terms], revision: 1 })
  const next = { ...terms, version: 2, minimum_version: 2 }
  expect((await stage.request('PUT', '/terms', { documents: [next] }, 0)).status).toBe(412)
  expect((await stage.request('PUT', '/terms', { documents: [next] }, 1)).body).toMatchObject({ revision: 2 })
  expect(await read()).toEqual({ documents: [next], revision: 2 })
  expect(await listAuditEntries()).toContainEqual(
    expect.objectContaining({ action: 'changeTerms', before: { documents: [terms] }, after: { documents: [next] } }),
  )
})

test.each([
  [{ texts: { en: { title: 'Terms', url: 'http://shop.example.com' } } }, 'texts.en.url', 'https_address'],
  [{ texts: { en: { title: ' ' } } }, 'texts.en.title', 'empty'],
  [{ texts: {} }, 'texts', 'languages_of_document'],
  [{ name: 'Terms' }, 'name', 'not_a_document_name'],
  [{ minimum_version: 2 }, 'minimum_version', 'later_than_version'],
])('a document with %j is rejected at %s', async (part, field, reason) => {
  const { revision } = adminApi.readTerms.output.parse((await stage.request('GET', '/terms')).body)
  const { status, body } = await stage.request('PUT', '/terms', { documents: [{ ...terms, ...part }] }, revision)
  expect(status).toBe(400)
  expect(body).toMatchObject({ error: { fields: [{ field: `documents.0.${field}`, reason }] } })
})

test('the answers of a user are read, and each read is in the audit trail without them', async () => {
  const { identity, call } = stage.serviceStack
  const { site } = stage.site
  const { user } = await identity.createUser({ site, links: [] }, call())
  const { identifier } = user
  const path = `/users/${identifier}/consents`
  expect((await stage.request('GET', path)).body).toEqual({ consents: [] })
  const answers = [
    { document: 'newsletter', version: 1, accepted: false },
    { document: 'terms', version: 2, accepted: true },
  ]
  await identity.recordConsents({ site, identifier, answers }, call())
  const consents = answers.map((answer) => ({ ...answer, answered_at: expect.stringMatching(/Z$/) }))
  expect((await stage.request('GET', path)).body).toEqual({ consents })
  expect(await listAuditEntries()).toContainEqual(
    expect.objectContaining({ action: 'readUserConsents', before: null, after: { identifier } }),
  )
  expect((await stage.request('GET', `/users/${'0'.repeat(40)}/consents`)).status).toBe(404)
})
