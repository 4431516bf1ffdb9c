import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { type ImportTest, openImportTest } from './import-harness.ts'

let importText: ImportTest['importText']
let rejectionsOf: ImportTest['rejectionsOf']
let find: ImportTest['find']
let linksOf: ImportTest['linksOf']
let profileOf: ImportTest['profileOf']
let countBlocked: ImportTest['countBlocked']
beforeAll(async () => {
  const opened = await openImportTest()
  ;({ importText, rejectionsOf, find, linksOf, profileOf, countBlocked } = opened)
  return opened[Symbol.asyncDispose]
})

/** An ID that a JavaScript number cannot represent. */
const longNumber = () => `${10_212_345}${Math.floor(Math.random() * 1e9)}`.padEnd(17, '1')
const auth0User = (fields: object) => ({ user_id: `auth0|${randomUUID()}`, email: 'a@example.com', ...fields })

describe('IDs that are numbers', () => {
  test.each([
    ['lines', (user: string) => `${user}\n`],
    ['a list', (user: string) => `[\n${user}\n]`],
  ])('keep their digits in %s', async (_, wrap) => {
    const [key, id] = [`facebook|${randomUUID()}`, longNumber()]
    const user = `{"user_id":"${key}","identities":[{"provider":"facebook","user_id":${id}}]}`
    expect(await importText(wrap(user))).toMatchObject({ code: 0, out: expect.stringContaining('created: 1') })
    expect(await linksOf(key)).toEqual([`social ${id}`])
  })

  test('keep their digits in JSON within JSON', async () => {
    const [sub, id] = [randomUUID(), longNumber()]
    const identities = `[{"providerName":"Facebook","userId":${id}}]`
    const user = {
      Username: `Facebook_${id}`,
      Attributes: [
        { Name: 'sub', Value: sub },
        { Name: 'identities', Value: identities },
      ],
    }
    await importText({ Users: [user] })
    expect(await linksOf(sub)).toEqual([`social ${id}`])
  })
})

describe('users who are blocked in the other system', () => {
  test.each([
    ['auth0', auth0User({ blocked: true })],
    ['firebase', { localId: randomUUID(), disabled: true }],
    ['firebase', { uid: randomUUID(), metadata: {}, disabled: true }],
    ['keycloak', { id: randomUUID(), username: 'a', enabled: false }],
    ['cognito', { Username: randomUUID(), Attributes: [], Enabled: false }],
    ['sap', { UID: randomUUID(), isActive: false }],
  ])('are rejected (%s), and blocked here too with --blocked import', async (format, user) => {
    expect(await rejectionsOf([user], ['--format', format])).toEqual([
      '1  The user is blocked in the other system. Choose to import blocked users; or leave them out.'.replace(
        ';',
        ',',
      ),
    ])
    const before = await countBlocked()
    const { out } = await importText([user], ['--blocked', 'import'])
    expect(out).toContain('created: 1')
    expect(await countBlocked()).toBe(before + 1)
  })
})

describe('accounts', () => {
  test('of an Auth0 connection with our provider’s name are linked, without the connection’s prefix', async () => {
    const user = auth0User({ identities: [{ provider: 'oauth2', user_id: 'line|U123', connection: 'line' }] })
    await importText([user], ['--conflict', 'replace'])
    expect(await linksOf(user.user_id)).toEqual(['messaging U123'])
  })

  test.each([
    ['auth0', '5f7c8', 'line'],
    ['google-apps', 'a@example.com', 'google'],
    ['okta', '1', 'x'],
  ])(
    'of an Auth0 connection of %s are not those of the provider that its name names',
    async (provider, id, connection) => {
      const { err } = await importText(
        [auth0User({ identities: [{ provider, user_id: id, connection }] })],
        ['--dry-run'],
      )
      expect(err).toContain('Users without an account of a login provider: 1.')
    },
  )

  test('of another Auth0 connection than their ID says are rejected', async () => {
    const identities = [{ provider: 'oauth2', user_id: 'foo|U1', connection: 'line' }]
    expect(await rejectionsOf([auth0User({ identities })], ['--dry-run'])).toEqual([
      '1 identities.0.user_id is not as expected: must begin with line, the name of its connection',
    ])
  })

  test('of unknown names are counted with the option that takes them', async () => {
    const [first, second] = ['1', '2'].map((id) =>
      auth0User({ identities: [{ provider: 'oidc', user_id: `shop-line|U${id}`, connection: 'shop-line' }] }),
    )
    const { code, out, err } = await importText([first, second], ['--dry-run'])
    expect([code, out]).toEqual([0, expect.stringContaining('created: 2')])
    expect(err).toContain('Omitted accounts of shop-line: 2. Choose our provider: --provider shop-line=messaging')
    expect(err).toContain('Users without an account of a login provider: 2.')
    const taken = await importText([first], ['--dry-run', '--provider', 'shop-line=messaging'])
    expect(taken.err).not.toContain('Omitted')
  })

  test('that would be omitted are rejected with --strict, but not passwords', async () => {
    const other = auth0User({ identities: [{ provider: 'github', user_id: 1, connection: 'github' }] })
    const password = auth0User({ identities: [{ provider: 'auth0', user_id: 'x', connection: 'Users' }] })
    expect(await rejectionsOf([password, other], ['--strict'])).toEqual([
      '2 links The account of github would be omitted, because no provider is chosen for it.',
    ])
  })

  test('are in the result for programs', async () => {
    const user = auth0User({
      identities: [
        { provider: 'github', user_id: 1, connection: 'github' },
        { provider: 'auth0', user_id: 'x', connection: 'Users' },
      ],
    })
    const { out } = await importText([user], ['--dry-run', '-o', 'json'])
    expect(JSON.parse(out)).toMatchObject({
      created: 1,
      file: {
        format: 'auth0',
        omitted: [
          { name: 'github', because: 'unknown_provider', count: 1 },
          { name: 'Users', because: 'not_of_a_provider', count: 1 },
        ],
        without_account: 1,
      },
    })
  })

  test('of a second account of a provider are counted', async () => {
    const identities = [randomUUID(), randomUUID()].map((id) => ({ provider: 'google-oauth2', user_id: id }))
    const { err } = await importText([auth0User({ identities })], ['--dry-run'])
    expect(err).toContain('Omitted second accounts of google-oauth2: 1.')
  })

  test('after a password have the data of the user, and their own', async () => {
    const id = randomUUID()
    const user = auth0User({
      name: 'From User',
      email_verified: true,
      identities: [
        { provider: 'auth0', user_id: 'x', connection: 'Users' },
        {
          provider: 'google-oauth2',
          user_id: id,
          profileData: { given_name: 'From Identity', name: 'Own Name', email: 'a@example.com' },
        },
      ],
    })
    await importText([user])
    expect(await profileOf(user.user_id)).toMatchObject({
      profile: { full_name: 'Own Name', first_name: 'From Identity' },
      email: [{ email: 'a@example.com', verified: true }],
    })
  })

  test.each([
    [
      'Cognito',
      (sub: string, id: string) => ({
        Username: sub,
        Attributes: [
          { Name: 'sub', Value: sub },
          { Name: 'name', Value: 'Own Name' },
          {
            Name: 'identities',
            Value: JSON.stringify([
              { providerName: 'Okta', userId: '1' },
              { providerName: 'Google', userId: id },
            ]),
          },
        ],
      }),
      { full_name: 'Own Name' },
    ],
    [
      'Keycloak',
      (key: string, id: string) => ({
        id: key,
        enabled: true,
        firstName: 'Own Name',
        federatedIdentities: [
          { identityProvider: 'github', userId: '1' },
          { identityProvider: 'google', userId: id },
        ],
      }),
      { first_name: 'Own Name' },
    ],
  ])('that follow an omitted one have the data of the user (%s)', async (_, toUser, profile) => {
    const key = randomUUID()
    await importText([toUser(key, randomUUID())])
    expect(await profileOf(key)).toMatchObject({ profile })
  })
})

describe('Firebase', () => {
  test('users of the Admin SDK, which has the accounts that auth:export leaves out', async () => {
    const [uid, apple] = [randomUUID(), randomUUID()]
    const user = {
      uid,
      email: 'f@example.com',
      emailVerified: true,
      disabled: false,
      metadata: { creationTime: 'Tue, 01 Jan 2019 00:00:00 GMT', lastSignInTime: 'Wed, 01 Jan 2020 00:00:00 GMT' },
      providerData: [
        { uid: apple, providerId: 'apple.com' },
        { uid: `U${apple}`, providerId: 'oidc.line', displayName: 'Line' },
      ],
    }
    await importText({ users: [user], pageToken: 'x' })
    expect(await linksOf(uid)).toEqual([`device ${apple}`, `messaging U${apple}`])
    expect(await find(uid)).toMatchObject([
      { user: { created_at: '2019-01-01T00:00:00Z', last_logged_in_at: '2020-01-01T00:00:00Z' } },
    ])
  })

  test('users whose account is in their ID only: the option that takes it is suggested', async () => {
    const password = { providerId: 'password', rawId: 'a@example.com' }
    const user = { localId: `line:U${randomUUID()}`, createdAt: '1546300800000', providerUserInfo: [password] }
    expect((await importText({ users: [user] }, ['--dry-run'])).err).toContain('--provider line:=messaging')
    await importText({ users: [user] }, ['--provider', 'line:=messaging'])
    expect(await linksOf(user.localId)).toEqual([`messaging ${user.localId.slice('line:'.length)}`])
  })

  test('users as CSV, which has no header and ends its rows with a comma', async () => {
    const [uid, google] = [randomUUID(), randomUUID()]
    const row = Array.from({ length: 28 }, () => '')
    row.splice(0, 7, uid, 'f@example.com', 'true', '', '', '"Fire, Base"', '')
    row[7] = google
    row[23] = '1546300800000'
    expect((await importText(`${row.join(',')},\n`)).out).toContain('created: 1')
    expect(await linksOf(uid)).toEqual([`search ${google}`])
    expect(await profileOf(uid)).toMatchObject({ profile: { full_name: 'Fire, Base' } })
  })
})

describe('Keycloak', () => {
  const user = (id = randomUUID()) => ({
    id,
    username: id,
    enabled: true,
    federatedIdentities: [{ identityProvider: 'google', userId: id }],
  })

  test('an export of all realms has the users of its only realm', async () => {
    const one = user()
    const { out } = await importText([{ id: 'r1', realm: 'shop', clients: [{ id: 'c' }], users: [one] }])
    expect(out).toContain('created: 1,')
    expect(await linksOf(one.id)).toEqual([`search ${one.id}`])
  })

  test('of several realms, one is chosen', async () => {
    const [one, other] = [user(), user()]
    const realms = [
      { id: 'r1', realm: 'shop', users: [one] },
      { id: 'r2', realm: 'staff', users: [other] },
    ]
    expect(await importText(realms)).toMatchObject({
      code: 2,
      err: expect.stringContaining('The file has the realms shop, staff. Choose one of them. Use --realm.'),
    })
    expect((await importText(realms, ['--realm', 'staff'])).out).toContain('created: 1,')
    expect(await find(one.id)).toEqual([])
    expect(await linksOf(other.id)).toEqual([`search ${other.id}`])
  })

  test('a realm with roles, and its users after much else, is recognized', async () => {
    const clients = Array.from({ length: 500 }, (_, n) => ({ id: `${n}`, clientId: 'c'.repeat(200) }))
    const one = user()
    const realm = { id: 'r', realm: 'shop', roles: { realm: [{ id: 'a' }], client: {} }, clients, users: [one] }
    for (const text of [JSON.stringify(realm), JSON.stringify(realm, null, 2), JSON.stringify([realm])])
      expect((await importText(text, ['--conflict', 'skip'])).out).toMatch(/(created|skipped): 1/)
    expect(await linksOf(one.id)).toEqual([`search ${one.id}`])
  })

  test('another realm than that of the file, and a realm of a file of another system, are errors', async () => {
    const shop = { realm: 'shop', users: [user()] }
    expect((await importText(shop, ['--realm', 'staff'])).err).toContain('The file has the realms shop.')
    const other = await importText([auth0User({ identities: [] })], ['--realm', 'shop'])
    expect([other.code, other.err]).toEqual([2, expect.stringContaining('--realm is for files of Keycloak')])
  })

  test('the users of services are not imported', async () => {
    const service = { ...user(), username: 'service-account-x', serviceAccountClientId: 'x' }
    expect(await rejectionsOf({ realm: 'shop', users: [user(), service] })).toEqual(['2  is not a user of Keycloak'])
  })
})

const files = {
  auth0: [auth0User({ identities: [] })],
  cognito: { Users: [{ Username: 'a', Attributes: [{ Name: 'sub', Value: 'a' }] }] },
  firebase: { users: [{ localId: 'a', createdAt: '1546300800000' }] },
  keycloak: { realm: 'shop', users: [{ id: 'a', username: 'a', enabled: true }] },
  sap: { results: [{ UID: 'a' }], totalCount: 1 },
} as const
const pairs = Object.keys(files).flatMap((file) =>
  Object.keys(files).flatMap((format) => (file === format ? [] : [[file, format] as const])),
)

test('a list of pages has the users of all', async () => {
  const page = () => ({ Users: [{ Username: randomUUID(), Attributes: [] }], PaginationToken: 'x' })
  expect((await importText([page(), page()], ['--dry-run'])).out).toContain('created: 2,')
})

test('a user of the Cognito command admin-get-user is a document of its own', async () => {
  const sub = randomUUID()
  const user = { Username: sub, UserAttributes: [{ Name: 'sub', Value: sub }], Enabled: true }
  expect((await importText(JSON.stringify(user, null, 4))).out).toContain('created: 1')
})

describe('a file of one system', () => {
  test.each(Object.entries(files))('%s is recognized, whatever its name says', async (format, content) => {
    const { out } = await importText(content, ['--dry-run', '-o', 'json'])
    expect(JSON.parse(out)).toMatchObject({ created: 1, file: { format } })
  })

  test.each(pairs)('%s is rejected as one of another: %s', async (file, format) => {
    const { code, err } = await importText(Reflect.get(files, file), ['--format', format, '--dry-run'])
    expect([code, err]).toEqual([2, expect.stringContaining('The file looks like one of')])
  })
})
