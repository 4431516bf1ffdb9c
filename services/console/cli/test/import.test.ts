import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Managed, openManaged } from '../../test/managed.ts'
import { type CliOptions, socialLogin, startStubServer } from './harness.ts'

let managed: Managed
let directory: string
let account: string
let site: number
let environment: Record<string, string>
beforeAll(async () => {
  managed = await openManaged()
  directory = await mkdtemp(join(tmpdir(), 'import-'))
  const shop = await managed.openShop()
  ;({ account, site } = shop)
  environment = { SOCIAL_LOGIN_URL: managed.serviceStack.console.url, SOCIAL_LOGIN_TOKEN: shop.token }
})
afterAll(async () => {
  await rm(directory, { recursive: true })
  await managed[Symbol.asyncDispose]()
})

const writeUserFile = async (content: string | Buffer): Promise<string> => {
  const path = join(directory, randomUUID())
  await writeFile(path, content)
  return path
}
const importFile = async (content: string | Buffer, options: string[] = [], cli: CliOptions = {}) =>
  socialLogin(
    ['users', 'import', await writeUserFile(content), '--account', account, '--site-id', 'shop', ...options],
    { environment, ...cli },
  )
const find = async (id: string) => {
  const { identity, call } = managed.serviceStack
  const { users } = await identity.findUsers({ site, id }, call())
  return Promise.all(users.map(({ identifier }) => identity.resolveUser({ site, identifier }, call())))
}
const toLines = (...records: unknown[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('')

test('a file of JSON lines is imported, also compressed and with a byte order mark, and the result is printed', async () => {
  const [one, other] = [randomUUID(), randomUUID()]
  expect(await importFile(`\ufeff${toLines({ primary_key: one })}\n${toLines({})}`)).toEqual({
    code: 0,
    out: 'created: 2, merged: 0, replaced: 0, skipped: 0, rejected: 0.\n',
    err: 'Users without an account of a login provider: 2. They cannot log in.\n',
  })
  const compressed = gzipSync(toLines({ primary_key: one }, { primary_key: other }))
  expect(await importFile(compressed, ['--conflict', 'skip'])).toMatchObject({
    code: 0,
    out: 'created: 1, merged: 0, replaced: 0, skipped: 1, rejected: 0.\n',
  })
  expect(await find(one)).toHaveLength(1)
  expect(await find(other)).toHaveLength(1)
})

test('rejected lines are in the report with line, field and reason, and in the exit code', async () => {
  const report = join(directory, 'report.csv')
  const content = `${toLines({}, { login_count: 'many' })}{broken\n${toLines({ created_at: '1969-12-31T23:59:59Z' })}`
  const { code, out } = await importFile(content, ['--dry-run', '--report', report])
  expect(code).toBe(10)
  expect(out).toBe('Dry run, nothing was changed. created: 1, merged: 0, replaced: 0, skipped: 0, rejected: 3.\n')
  expect(await readFile(report, 'utf8')).toBe(
    '\ufeffline,field,reason\n2,login_count,must be a number\n3,,is not a line of JSON\n4,created_at,must not be before 1970\n,,Users without an account of a login provider: 3. They cannot log in.\n',
  )
})

test('an import that is interrupted says how to continue, and continues without doubles', async () => {
  const keys = Array.from({ length: 1_200 }, () => randomUUID())
  const content = toLines(...keys.map((key) => ({ primary_key: key })))
  const path = await writeUserFile(content)
  const { knex } = managed
  const args = ['users', 'import', path, '--account', account, '--site-id', 'shop']
  await knex.raw(`create function reject_third() returns trigger language plpgsql as $$
    begin if new.number = 2 then raise exception 'interrupted'; end if; return new; end $$`)
  await knex.raw(
    'create trigger reject_third before insert on import_batches for each row execute function reject_third()',
  )
  const interrupted = await socialLogin(args, { environment })
  await knex.raw('drop function reject_third cascade')
  expect(interrupted.code).toBe(1)
  const [, id = ''] = /Continue with --resume ([\w-]+)\./.exec(interrupted.err) ?? []
  const continued = await socialLogin([...args, '--resume', id], { environment })
  expect(continued).toMatchObject({ code: 0, out: expect.stringContaining('created: 1200') })
  expect(await find(keys[1_100] ?? '')).toHaveLength(1)
  expect(await socialLogin([...args, '--resume', id], { environment })).toMatchObject({
    code: 5,
    err: expect.stringContaining('has ended'),
  })
})

test('a batch is sent again while the console is unavailable', async () => {
  const started = {
    import_id: randomUUID(),
    file_name: 'x',
    dry_run: false,
    conflict: 'fail',
    state: 'running',
    next_batch: 0,
    created: 0,
    merged: 0,
    replaced: 0,
    skipped: 0,
    rejected: 0,
    requested_by: 'x',
    started_at: '2030-01-01T00:00:00Z',
    updated_at: '2030-01-01T00:00:00Z',
  }
  const unavailable = { status: 503, body: { error: { name: 'unavailable', message: 'Try again.' } } }
  const done = { status: 200, body: { ...started, created: 1, state: 'done' } }
  const answers = [{ status: 200, body: { providers: [] } }, { status: 200, body: started }, unavailable, unavailable]
  await using server = await startStubServer(...answers, done, done)
  const result = await importFile(toLines({}), [], { environment: { ...server.environment } })
  expect(result).toMatchObject({ code: 0, out: expect.stringContaining('created: 1') })
  expect(server.received.map(({ method }) => method)).toEqual(['GET', 'POST', 'PUT', 'PUT', 'PUT', 'POST'])
})

test.each([
  ['a file that cannot be read', ['users', 'import', '/nonexistent', '--account', 'a', '--site-id', 'b'], 'ENOENT'],
  [
    'an unknown format',
    ['users', 'import', '/dev/null', '--account', 'a', '--site-id', 'b', '--format', 'xml'],
    "argument 'xml' is invalid",
  ],
])('%s is an error of usage', async (_what, args, message) => {
  expect(await socialLogin(args, { environment })).toMatchObject({ code: 2, err: expect.stringContaining(message) })
})

const number = () => String(Math.floor(Math.random() * 1e15))

test('Auth0: users of an export job keep their ID as primary key, and their accounts', async () => {
  const [google, line] = [number(), `U${number()}`]
  const user = {
    user_id: `google-oauth2|${google}`,
    email: 'a@example.com',
    email_verified: true,
    name: 'Auth Zero',
    given_name: 'Auth',
    created_at: '2019-10-01T08:00:00.000Z',
    last_login: '2023-05-05T10:00:00.123Z',
    logins_count: 12,
    identities: [
      { provider: 'google-oauth2', user_id: google, connection: 'google-oauth2', isSocial: true },
      { provider: 'oauth2', user_id: `line|${line}`, connection: 'line', isSocial: true },
      { provider: 'auth0', user_id: 'abc', connection: 'Username-Password-Authentication', isSocial: false },
    ],
  }
  expect((await importFile(toLines(user), ['--format', 'auth0'])).out).toContain('created: 1')
  const [found] = await find(user.user_id)
  expect(found).toMatchObject({
    user: { created_at: '2019-10-01T08:00:00Z', last_logged_in_at: '2023-05-05T10:00:00Z', login_count: 12 },
    links: [
      { provider: 'messaging', provider_user_id: line },
      { provider: 'search', provider_user_id: google },
    ],
  })
  const { profile, call } = managed.serviceStack
  expect(await profile.readProfile({ site, identifier: found?.user.identifier ?? '' }, call())).toMatchObject({
    profile: { full_name: 'Auth Zero', first_name: 'Auth' },
    email: [{ email: 'a@example.com', verified: true }],
  })
})

test('Firebase: users of auth:export', async () => {
  const [google, phone] = [number(), '+819012345678']
  const users = [
    {
      localId: `f${google}`,
      email: 'f@example.com',
      emailVerified: true,
      displayName: 'Fire Base',
      createdAt: '1546300800000',
      lastSignedInAt: '1577836800000',
      phoneNumber: phone,
      providerUserInfo: [
        { providerId: 'google.com', rawId: google, email: 'f@example.com', displayName: 'Fire Base' },
        { providerId: 'phone', rawId: phone },
      ],
    },
    // As the emulator and the REST API write it.
    { localId: `g${google}`, createdAt: '1546300800000', lastLoginAt: '1577836800001', disabled: false },
  ]
  const { out } = await importFile(JSON.stringify({ users }, null, 2), ['--format', 'firebase'])
  expect(out).toContain('created: 2')
  expect(await find(`f${google}`)).toMatchObject([
    {
      user: { created_at: '2019-01-01T00:00:00Z', last_logged_in_at: '2020-01-01T00:00:00Z' },
      links: [{ provider: 'search', provider_user_id: google }],
    },
  ])
  expect(await find(`g${google}`)).toMatchObject([{ user: { last_logged_in_at: '2020-01-01T00:00:00Z' } }])
})

test('Keycloak: users of a realm export, with names of the realm’s own identity providers', async () => {
  const [id, line] = [randomUUID(), `U${number()}`]
  const realm = {
    realm: 'shop',
    clients: [{ clientId: 'x' }],
    users: [
      {
        id,
        username: 'keycloak',
        email: 'k@example.com',
        emailVerified: false,
        firstName: 'Key',
        lastName: 'Cloak',
        createdTimestamp: 1_546_300_800_000,
        enabled: true,
        federatedIdentities: [{ identityProvider: 'shop-line', userId: line, userName: 'k' }],
      },
    ],
  }
  const { out } = await importFile(JSON.stringify(realm), ['--format', 'keycloak', '--provider', 'shop-line=messaging'])
  expect(out).toContain('created: 1')
  expect(await find(id)).toMatchObject([{ links: [{ provider: 'messaging', provider_user_id: line }] }])
})

test('Cognito: users of list-users, one page after another', async () => {
  const [sub, google] = [randomUUID(), number()]
  const page = (user: object) => JSON.stringify({ Users: [user], PaginationToken: 'x' })
  const identities = JSON.stringify([
    {
      userId: google,
      providerName: 'Google',
      providerType: 'Google',
      issuer: null,
      primary: 'true',
      dateCreated: '1546300800000',
    },
  ])
  const user = {
    Username: `google_${google}`,
    Attributes: [
      { Name: 'sub', Value: sub },
      { Name: 'identities', Value: identities },
      { Name: 'email', Value: 'c@example.com' },
      { Name: 'email_verified', Value: 'true' },
    ],
    UserCreateDate: '2019-01-01T09:00:00.000000+09:00',
    Enabled: true,
    UserStatus: 'EXTERNAL_PROVIDER',
  }
  const second = { Username: randomUUID(), Attributes: [], UserCreateDate: 1_546_300_800 }
  const { out } = await importFile(`${page(user)}\n${page(second)}\n`, ['--format', 'cognito'])
  expect(out).toContain('created: 2')
  expect(await find(sub)).toMatchObject([
    {
      user: { created_at: '2019-01-01T00:00:00Z' },
      links: [{ provider: 'search', provider_user_id: google, created_at: '2019-01-01T00:00:00Z' }],
    },
  ])
})

test('SAP Customer Data Cloud: users of accounts.search', async () => {
  const [uid, facebook] = [randomUUID().replaceAll('-', ''), number()]
  const results = [
    {
      UID: uid,
      created: '2019-01-01T00:00:00.000Z',
      lastLogin: '2020-01-01T00:00:00.000Z',
      profile: { firstName: 'S', lastName: 'AP', email: 's@example.com' },
      emails: { verified: ['s@example.com'], unverified: [] },
      identities: [
        { provider: 'facebook', providerUID: facebook, firstName: 'S', lastName: 'AP', email: 's@example.com' },
        { provider: 'site', providerUID: uid },
      ],
    },
  ]
  const { out } = await importFile(JSON.stringify({ results, totalCount: 1 }), ['--format', 'sap'])
  expect(out).toContain('created: 1')
  expect(await find(uid)).toMatchObject([{ links: [{ provider: 'social', provider_user_id: facebook }] }])
})

test('CSV with a header line, such as our exports without profiles', async () => {
  const [key, line] = [randomUUID(), `U${number()}`]
  const csv = `identifier,primary_key,created_at,login_count,messaging_id,portal_id\r\n,${key},2019-01-01T00:00:00Z,3,${line},\r\n`
  expect((await importFile(csv, ['--format', 'csv'])).out).toContain('created: 1')
  expect(await find(key)).toMatchObject([
    { user: { login_count: 3 }, links: [{ provider: 'messaging', provider_user_id: line }] },
  ])
  const { code, err } = await importFile('primary_key,color\nx,red\n', ['--format', 'csv'])
  expect(code).toBe(2)
  expect(err).toContain('Unknown columns: color (nearest: ')
})
