import { randomUUID } from 'node:crypto'
import { Uint8ArrayReader, Uint8ArrayWriter, ZipReader } from '@zip.js/zip.js'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { adminApi, UserExport } from '#admin-api'
import { allProviders } from '#contracts'
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

async function importInto(path: string, records: unknown[]): Promise<void> {
  const started = await owner('POST', `${path}/imports`, { file_name: 'users.ndjson' })
  const id = Reflect.get(Object(started.body), 'import_id')
  const sent = await owner('PUT', `${path}/imports/${id}/batches/0`, { first_line: 1, records })
  expect(sent, JSON.stringify(sent.body)).toMatchObject({ status: 200, body: { created: records.length, rejected: 0 } })
}

/** Exports the users of a site as records, newest first. */
async function exportFrom(path: string, options: object = {}): Promise<unknown[]> {
  const everything = { format: 'ndjson', with_profile: true, with_credentials: true, password, ...options }
  const { export_id } = UserExport.parse((await owner('POST', `${path}/exports`, everything)).body)
  const file = await vi.waitFor(
    async () => {
      const { exports } = adminApi.listExports.output.parse((await owner('GET', `${path}/exports`)).body)
      const found = exports.find((one) => one.export_id === export_id)
      expect(found?.state).toBe('ready')
      return String(found?.file)
    },
    { timeout: 20_000, interval: 20 },
  )
  const response = await fetch(`${managed.serviceStack.console.url}${file}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const zip = new ZipReader(new Uint8ArrayReader(new Uint8Array(await response.arrayBuffer())), { password })
  const [entry] = await zip.getEntries()
  if (entry === undefined || entry.directory) throw new Error('The ZIP has no file.')
  expect(entry.filename).toBe('users.ndjson')
  const content = new TextDecoder().decode(await entry.getData(new Uint8ArrayWriter()))
  return content
    .split('\n')
    .filter((line) => line !== '')
    .map((line): unknown => JSON.parse(line))
}

const Time = fc
  .integer({ min: 0, max: Math.floor(Date.now() / 1_000) - 60 })
  .map((seconds) => new Date(seconds * 1_000).toISOString().replace('.000', ''))
const Id = fc.uuid()
const Text = fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' }).filter((text) => !text.includes('\0'))
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
          ...{ full_name: Text, full_name_kana: Text, last_name_kana: Text, postal_code: Text, street: Text },
          ...{ bio: Text, gender: fc.constantFrom(1, 2, 3), uri: fc.array(Text) },
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
const Record = fc
  .record({
    identifier: optional(fc.uuid()),
    primary_key: fc.option(fc.uuid()),
    mapped_at: optional(Time),
    created_at: optional(Time),
    last_logged_in_at: fc.option(Time),
    login_count: fc.nat({ max: 1_000 }),
    profile_prohibited: fc.boolean(),
    links: fc.uniqueArray(fc.tuple(fc.constantFrom(...allProviders), Link), {
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
  const property = fc.asyncProperty(fc.array(Record, { minLength: 1, maxLength: 12 }), async (records) => {
    const [first, second] = [await newSite(), await newSite()]
    // Values that are undefined are not sent.
    await importInto(first, JSON.parse(JSON.stringify(records)))
    const exported = await exportFrom(first)
    expect(exported).toHaveLength(records.length)
    await importInto(second, exported)
    expect(await exportFrom(second)).toEqual(exported)
  })
  await fc.assert(property, { numRuns: 12, endOnFailure: true })
}, 120_000)

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
