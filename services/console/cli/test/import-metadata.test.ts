import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { type ImportTest, openImportTest } from './import-harness.ts'

let opened: ImportTest
beforeAll(async () => {
  opened = await openImportTest()
  return opened[Symbol.asyncDispose]
})

const metadataOf = async (primaryKey: string) => {
  const { identity, call } = opened.managed.serviceStack
  return identity.readMetadata({ site: opened.site, primary_key: primaryKey }, call())
}

describe('metadata of the other system', () => {
  const key = randomUUID()
  test.each([
    [
      'auth0',
      { user_id: `auth0|${key}`, user_metadata: { size: 'M' }, app_metadata: { plan: { name: 'gold' } } },
      `auth0|${key}`,
      { user_metadata: { size: 'M' }, app_metadata: { plan: { name: 'gold' } } },
    ],
    [
      'keycloak',
      { id: `k${key}`, username: 'a', enabled: true, attributes: { plan: ['gold'] } },
      `k${key}`,
      { plan: ['gold'] },
    ],
    ['firebase', { localId: `f${key}`, customAttributes: '{"admin":true}' }, `f${key}`, { admin: true }],
    ['firebase', { uid: `l${key}`, metadata: {}, customClaims: { admin: true } }, `l${key}`, { admin: true }],
    [
      'cognito',
      {
        Username: `c${key}`,
        Attributes: [
          { Name: 'custom:plan', Value: 'gold' },
          { Name: 'locale', Value: 'ja' },
        ],
      },
      `c${key}`,
      { plan: 'gold' },
    ],
    [
      'sap',
      { UID: `s${key}`, isActive: true, data: { plan: { name: 'gold' } } },
      `s${key}`,
      { plan: { name: 'gold' } },
    ],
  ])('of %s is imported', async (format, user, primaryKey, metadata) => {
    expect(await opened.importText([user], ['--format', format])).toMatchObject({ code: 0 })
    const expected = 'app_metadata' in metadata ? metadata : { user_metadata: {}, app_metadata: metadata }
    expect(await metadataOf(primaryKey)).toMatchObject(expected)
  })

  test('that is larger than the limit rejects the user', async () => {
    const user = { user_id: `auth0|${randomUUID()}`, app_metadata: { text: 'x'.repeat(8_192) } }
    expect(await opened.rejectionsOf([user])).toEqual([expect.stringContaining('8192 bytes')])
  })
})

describe('metadata of a record', () => {
  const first = { user_metadata: { a: 1, b: 1 }, app_metadata: { plan: 'free' } }
  test.each([
    ['merge', { user_metadata: { a: 1, b: 1, c: 2 }, app_metadata: { plan: 'free' }, revision: 2 }],
    ['replace', { user_metadata: { b: 2, c: 2 }, app_metadata: {}, revision: 2 }],
    ['skip', { ...first, revision: 1 }],
  ])('of a user who exists, with %s; without metadata, nothing changes', async (conflict, expected) => {
    const primaryKey = randomUUID()
    await opened.importText(`${JSON.stringify({ primary_key: primaryKey, ...first })}\n`)
    const second = { primary_key: primaryKey, user_metadata: { b: 2, c: 2 } }
    const lines = [second, { primary_key: primaryKey }].map((record) => `${JSON.stringify(record)}\n`).join('')
    await opened.importText(lines, ['--conflict', conflict])
    expect(await metadataOf(primaryKey)).toMatchObject(expected)
  })
})

describe('answers to terms in the other system', () => {
  const key = randomUUID()
  const time = '2024-08-12T14:24:11Z'
  const sap = {
    UID: `s${key}`,
    preferences: {
      terms: {
        tos: {
          isConsentGranted: true,
          docVersion: 2.0,
          docDate: '2024-01-01T00:00:00Z',
          actionTimestamp: time,
          lastConsentModified: '2024-08-12T14:24:11.707Z',
          entitlements: [],
          locales: { en: { docVersion: 2 } },
        },
      },
      'News-Letter': { Weekly: { isConsentGranted: false, lastConsentModified: time, tags: [] } },
      empty: null,
    },
  }
  test.each([
    [
      'keycloak',
      { id: `k${key}`, username: 'a', enabled: true, attributes: { terms_and_conditions: ['1723472651'] } },
      `k${key}`,
      [{ document: 'terms_and_conditions', version: 1, accepted: true, answered_at: time }],
    ],
    [
      'sap',
      sap,
      `s${key}`,
      [
        { document: 'news_letter_weekly', version: 1, accepted: false, answered_at: time },
        { document: 'terms_tos', version: 2, accepted: true, answered_at: time },
      ],
    ],
  ])('are imported from %s', async (format, user, primaryKey, consents) => {
    expect(await opened.importText([user], ['--format', format])).toMatchObject({ code: 0 })
    const { identity, call } = opened.managed.serviceStack
    const stored = await identity.readConsents({ site: opened.site, primary_key: primaryKey }, call())
    expect(stored).toMatchObject({ consents })
  })

  test('are not looked for in objects that are deeper than those of the other system', async () => {
    const deep = `${'{"a":'.repeat(3_000)}1${'}'.repeat(3_000)}`
    const { code, err } = await opened.importText(`[{"UID":"d${key}","preferences":${deep}}]`, ['--format', 'sap'])
    expect([code, err]).toEqual([0, expect.any(String)])
  })
})
