import { randomUUID } from 'node:crypto'
import { Uint8ArrayReader, Uint8ArrayWriter, ZipReader } from '@zip.js/zip.js'
import { stringify } from 'csv-stringify/sync'
import fc from 'fast-check'
import iconv from 'iconv-lite'
import papaparse from 'papaparse'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { adminApi, UserExport } from '#admin-api'
import { builtInProviders } from '#contracts'
import { waitFor } from '#testing'
import { createSource } from '../import-files/decode.ts'
import { readImportFile } from '../import-files/formats.ts'
import { type Managed, newAccount, openManaged, type SendRequest } from './managed.ts'

const password = 'correct horse battery staple'

let managed: Managed
let owner: SendRequest
let token: string
let account: string
beforeAll(async () => {
  managed = await openManaged()
  account = newAccount()
  token = await managed.createToken(account, 'owner')
  owner = await managed.createClient(account, 'owner')
})
afterAll(() => managed[Symbol.asyncDispose]())

/** Creates a site, and returns the path of its resources. */
async function newSite(): Promise<string> {
  const { identity, call } = managed.serviceStack
  const siteId = `s${randomUUID().slice(0, 8)}`
  await identity.registerSite({ account, site_id: siteId, name: 'Shop' }, call())
  return `/accounts/${account}/sites/${siteId}`
}

/** Settings of a provider whose discovery document is not read. */
const describeProvider = (issuer: string) => {
  const endpoints = { authorization: `${issuer}/a`, token: `${issuer}/t`, jwks: `${issuer}/k` }
  const definition = { display_name: { en: 'Staff' }, protocol: { type: 'oidc', issuer, endpoints } }
  return { client_id: 'c', client_secret: 's', definition }
}

async function addProvider(path: string, name: string): Promise<void> {
  const saved = await owner('PUT', `${path}/providers/${name}`, describeProvider('https://login.example'), 0)
  expect(saved, JSON.stringify(saved.body)).toMatchObject({ status: 200 })
}

async function importInto(path: string, records: readonly unknown[]): Promise<void> {
  const started = await owner('POST', `${path}/imports`, { file_name: 'users.ndjson' })
  const id = Reflect.get(Object(started.body), 'import_id')
  const sent = await owner('PUT', `${path}/imports/${id}/batches/0`, { first_line: 1, records })
  expect(sent, JSON.stringify(sent.body)).toMatchObject({ status: 200, body: { created: records.length, rejected: 0 } })
}

/** Imports a file as the command line and the console read it. */
async function importFile(
  path: string,
  content: string | Uint8Array<ArrayBuffer>,
  providers: ReadonlyMap<string, string> = new Map(),
): Promise<void> {
  const { records } = await readImportFile(createSource(new Blob([content])), { providers })
  await importInto(
    path,
    (await Array.fromAsync(records)).map(({ record }) => record),
  )
}

/** Exports the users of a site as records, newest first. */
async function exportFrom(path: string, options: object = {}): Promise<unknown[]> {
  const lines = (await exportFile(path, options)).split('\n').filter((line) => line !== '')
  return lines.map((line): unknown => JSON.parse(line))
}

/** Exports the users of a site as the text of a file. */
async function exportFile(path: string, options: object = {}): Promise<string> {
  const everything = { format: 'ndjson', with_profile: true, with_credentials: true, password, ...options }
  const { export_id } = UserExport.parse((await owner('POST', `${path}/exports`, everything)).body)
  const file = await waitFor(
    async () => {
      const { exports } = adminApi.listExports.output.parse((await owner('GET', `${path}/exports`)).body)
      const found = exports.find((one) => one.export_id === export_id)
      expect(found?.state).toBe('ready')
      return String(found?.file)
    },
    { interval: 20 },
  )
  const response = await fetch(`${managed.serviceStack.console.url}${file}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const zip = new ZipReader(new Uint8ArrayReader(new Uint8Array(await response.arrayBuffer())), { password })
  const [entry] = await zip.getEntries()
  if (entry === undefined || entry.directory) throw new Error('The ZIP has no file.')
  return new TextDecoder().decode(await entry.getData(new Uint8ArrayWriter()))
}

const Time = fc
  .integer({ min: 0, max: Math.floor(Date.now() / 1_000) - 60 })
  .map((seconds) => new Date(seconds * 1_000).toISOString().replace('.000', ''))
const Id = fc.uuid()
/** Characters that end lines somewhere, or have a meaning in JSON or CSV. */
const special = fc.constantFrom(
  '\u2028',
  '\u2029',
  '\u0085',
  '\r\n',
  '\n',
  '\r',
  '0',
  '-',
  '\\',
  '"',
  "'",
  ',',
  ';',
  '\t',
  '=',
  '\u{1f600}',
)
const Text = fc
  .string({ minLength: 1, maxLength: 40, unit: fc.oneof(fc.string({ unit: 'grapheme', maxLength: 1 }), special) })
  .filter((text) => text !== '' && !text.includes('\0'))
/** A table separates the values of a list by line breaks. */
const Line = Text.filter((text) => !/[\r\n]/.test(text))
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })

const Link = fc.record({
  provider_user_id: Id,
  created_at: optional(Time),
  credential: optional(
    fc.record({ access_token: fc.option(Text), refresh_token: fc.option(Text), expires_at: fc.option(Time) }),
  ),
  data: optional(
    fc.record({
      profile: fc.record(
        {
          full_name: Text,
          full_name_kana: Text,
          last_name_kana: Text,
          postal_code: Text,
          street: Text,
          bio: Text,
          gender: fc.constantFrom(1, 2, 3),
          uri: fc.array(Line),
        },
        { requiredKeys: [] },
      ),
      email: fc.array(fc.record({ email: fc.emailAddress(), verified: fc.boolean() }), { maxLength: 2 }),
      phone: fc.array(
        fc.record({
          number: fc.stringMatching(/^\+81\d{9,10}$/),
          verified: fc.boolean(),
          type: fc.constantFrom('phone', 'mobile'),
        }),
        { maxLength: 2 },
      ),
      obtained_at: optional(Time),
    }),
  ),
})
const Metadata = fc.dictionary(
  Text.filter((name) => name !== '__proto__'),
  fc.oneof(
    Text,
    fc.integer(),
    fc.double({ noNaN: true, min: -1, max: 1 }),
    fc.boolean(),
    fc.array(Text, { maxLength: 2 }),
  ),
  { maxKeys: 4 },
)
const Consent = fc.record({
  document: fc.stringMatching(/^[a-z][a-z0-9_]{0,5}$/),
  version: fc.integer({ min: 1, max: 999_999_999 }),
  accepted: fc.boolean(),
  answered_at: Time,
})
const Record = fc
  .record({
    identifier: optional(fc.uuid()),
    primary_key: fc.option(fc.uuid()),
    mapped_at: optional(Time),
    created_at: optional(Time),
    last_logged_in_at: fc.option(Time),
    login_count: fc.nat({ max: 1_000 }),
    profile_prohibited: fc.boolean(),
    block: optional(
      fc.record({
        since: optional(Time),
        until: fc.constantFrom(null, '2100-01-01T00:00:00Z'),
        reason: fc.option(Text),
        by: optional(Text),
      }),
    ),
    user_metadata: optional(Metadata),
    app_metadata: optional(Metadata),
    consents: optional(fc.uniqueArray(Consent, { maxLength: 3, selector: ({ document }) => document })),
    links: fc.uniqueArray(fc.tuple(fc.constantFrom(...builtInProviders), Link), {
      maxLength: 3,
      selector: ([provider]) => provider,
    }),
    friend: optional(fc.tuple(fc.boolean(), Time)),
  })
  .map(({ links, friend, ...user }) => ({
    ...user,
    last_logged_in_provider: user.last_logged_in_at === null ? null : (links[0]?.[0] ?? null),
    links: links.map(([provider, link]) => ({
      provider,
      ...link,
      ...(provider === 'messaging' && friend
        ? { friendship_status: friend[0], friendship_status_updated_at: friend[1] }
        : {}),
    })),
  }))

test('users that are exported and imported into an empty site are the same', async () => {
  const users = fc.array(Record, { minLength: 1, maxLength: 12 })
  const property = fc.asyncProperty(users, fc.boolean(), async (records, isEscaped) => {
    const [first, second] = [await newSite(), await newSite()]
    // Values that are undefined are not sent.
    await importInto(first, JSON.parse(JSON.stringify(records)))
    const exported = await exportFile(first)
    await importFile(second, isEscaped ? escapeAll(exported) : exported)
    expect((await exportFile(second)).split('\n')).toEqual(exported.split('\n'))
  })
  await fc.assert(property, { numRuns: 12, endOnFailure: true })
})

/** Writes JSON as other programs do: ASCII only, with an escaped slash. */
function escapeAll(json: string): string {
  return json
    .replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replaceAll('/', '\\/')
}

/** What spreadsheets and people do to a table before it is imported. */
const habits: readonly [string, (rows: string[][]) => string | Uint8Array<ArrayBuffer>][] = [
  ['as it is', (rows) => stringify(rows)],
  [
    'booleans in capitals',
    (rows) =>
      stringify(rows.map((row) => row.map((one) => one.replace(/^(true|false)$/, (word) => word.toUpperCase())))),
  ],
  ['semicolons, and every value quoted', (rows) => stringify(rows, { delimiter: ';', quoted: true })],
  [
    'tabs in UTF-16',
    (rows) =>
      new Uint8Array(
        iconv.encode(stringify(rows, { delimiter: '\t', record_delimiter: 'windows' }), 'utf-16le', { addBOM: true }),
      ),
  ],
  [
    'titles in capitals with spaces',
    ([header = [], ...rows]) => stringify([header.map((title) => title.toUpperCase().replaceAll('_', ' ')), ...rows]),
  ],
  ['empty rows and columns', (rows) => stringify(rows.flatMap((row) => [[...row, '', ''], row.map(() => '')]))],
]

test.each(habits)('a table that is exported and imported is the same: %s', async (_, save) => {
  const property = fc.asyncProperty(fc.array(Record, { minLength: 1, maxLength: 8 }), async (records) => {
    const [first, second] = [await newSite(), await newSite()]
    await importInto(first, JSON.parse(JSON.stringify(records)))
    const table = { format: 'csv', with_credentials: false }
    const exported = await exportFile(first, table)
    await importFile(
      second,
      save(papaparse.parse<string[]>(exported.replace(/^\ufeff/, ''), { skipEmptyLines: true }).data),
    )
    expect((await exportFile(second, table)).split('\r\n')).toEqual(exported.split('\r\n'))
  })
  await fc.assert(property, { numRuns: 3, endOnFailure: true })
})

test('a table without profiles says who prohibited them, and who is blocked', async () => {
  const [first, second] = [await newSite(), await newSite()]
  await importInto(first, [
    { identifier: 'a', profile_prohibited: true },
    { identifier: 'b' },
    { identifier: 'c', block: {} },
  ])
  const table = { format: 'csv', with_profile: false, with_credentials: false }
  const exported = await exportFile(first, table)
  await importFile(second, exported)
  expect(await exportFile(second, table)).toBe(exported)
  expect(exported).toMatch(/profile_prohibited,blocked\r\n/)
  const flags = exported.match(/^[abc],|(true|false),(true|false)/gm)
  expect(flags?.toSorted()).toEqual(['a,', 'b,', 'c,', 'false,false', 'false,true', 'true,false'])
})

test('an export contains only the users of its filter', async () => {
  const path = await newSite()
  const link = (provider: string) => ({ provider, provider_user_id: randomUUID() })
  await importInto(path, [
    { identifier: 'a', created_at: '2018-01-01T00:00:00Z', links: [link('messaging')] },
    {
      identifier: 'b',
      created_at: '2019-01-01T00:00:00Z',
      primary_key: 'kb',
      links: [link('messaging'), link('search')],
    },
    { identifier: 'c', created_at: '2020-01-01T00:00:00Z', primary_key: 'kc', links: [link('search')] },
    { identifier: 'd', created_at: '2021-01-01T00:00:00Z' },
  ])
  const exported = async (filter: object) =>
    (await exportFrom(path, filter)).map((record) => Reflect.get(Object(record), 'identifier'))
  expect(await exported({})).toEqual(['d', 'c', 'b', 'a'])
  expect(await exported({ provider: 'search' })).toEqual(['c', 'b'])
  expect(await exported({ mapped: 'not_mapped_only' })).toEqual(['d', 'a'])
  const period = { created_since: '2019-01-01T00:00:00Z', created_until: '2021-01-01T00:00:00Z' }
  expect(await exported(period)).toEqual(['c', 'b'])
  expect(await exported({ ...period, provider: 'messaging' })).toEqual(['b'])
})

test('a table names the accounts of a provider that the site configured, which stays while they exist', async () => {
  const [before, after] = [await newSite(), await newSite()]
  for (const path of [before, after]) await addProvider(path, 'staff')
  await importInto(before, [{ links: [{ provider: 'staff', provider_user_id: 'employee-1' }] }])
  const table = await exportFile(before, { format: 'csv', with_credentials: false })
  expect(table.split('\n')[0]).toMatch(/,staff_id,/)

  await importFile(after, table, new Map([['staff', 'staff']]))
  expect(await exportFrom(after)).toMatchObject([{ links: [{ provider: 'staff', provider_user_id: 'employee-1' }] }])
  expect(await owner('DELETE', `${after}/providers/staff`, undefined, 1)).toMatchObject({
    status: 409,
    body: {
      error: {
        message:
          'Users have logged in with this provider, or it is built in, so its settings cannot be removed. Disable it instead.',
      },
    },
  })
  const other = await owner('PUT', `${after}/providers/staff`, describeProvider('https://other.example'), 1)
  expect(other).toMatchObject({ status: 400, body: { error: { fields: [{ field: 'definition.protocol' }] } } })
})

test('tokens are exported on request only, and to NDJSON only', async () => {
  const path = await newSite()
  const credential = { access_token: 'secret-token' }
  await importInto(path, [{ links: [{ provider: 'portal', provider_user_id: 'x', credential }] }])
  expect(JSON.stringify(await exportFrom(path))).toContain('secret-token')
  expect(JSON.stringify(await exportFrom(path, { with_credentials: false }))).not.toContain('secret-token')
  expect(await owner('POST', `${path}/exports`, { password, with_credentials: true })).toMatchObject({
    status: 400,
    body: { error: { field: 'with_credentials' } },
  })
  expect(await owner('POST', `${path}/exports`, { password, format: 'ndjson', charset: 'Shift_JIS' })).toMatchObject({
    status: 400,
    body: { error: { field: 'charset' } },
  })
})
