import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Uint8ArrayReader, Uint8ArrayWriter, ZipReader } from '@zip.js/zip.js'
import iconv from 'iconv-lite'
import papaparse from 'papaparse'
import { beforeEach, expect, test } from 'vitest'
import type { z } from 'zod'
import { adminApi, UserExport } from '#admin-api'
import type { ProviderData } from '#contracts'
import { waitFor } from '#testing'
import { socialLogin } from '../cli/test/harness.ts'
import { createSeparateUsageFixture } from './usage-fixture.ts'

const stage = createSeparateUsageFixture()
beforeEach(() => stage.openNewSite())
const password = 'correct horse battery staple'

type Shown = z.output<typeof UserExport>

async function listed(exportId: string): Promise<Shown | undefined> {
  const { exports } = adminApi.listExports.output.parse((await stage.request('GET', '/exports')).body)
  return exports.find((one) => one.export_id === exportId)
}

/** Requests an export and waits until it is finished. */
async function exportUsers(input: object): Promise<Shown> {
  const { status, body } = await stage.request('POST', '/exports', { password, ...input })
  expect(status, JSON.stringify(body)).toBe(200)
  const { export_id } = UserExport.parse(body)
  return waitFor(
    async () => {
      const found = await listed(export_id)
      expect(found?.state).toMatch(/^(ready|failed)$/)
      // The export exists, because the poll has found it.
      return found as Shown
    },
    { interval: 100 },
  )
}

async function fetchFile({ export_id }: Pick<Shown, 'export_id'>): Promise<Response> {
  const { serviceStack, site, createToken } = stage
  const path = `/accounts/${site.account}/sites/${site.site_id}/exports/${export_id}/file`
  const authorization = `Bearer ${await createToken(site.account, 'owner')}`
  return fetch(`${serviceStack.console.url}/admin/v1${path}`, { headers: { authorization } })
}

async function unzip(zip: Uint8Array, given = password): Promise<Uint8Array> {
  const reader = new ZipReader(new Uint8ArrayReader(zip), { password: given, useWebWorkers: false })
  const [entry, ...others] = await reader.getEntries()
  expect(others).toEqual([])
  expect(entry).toMatchObject({ filename: 'users.csv', encrypted: true, zipCrypto: false })
  if (entry === undefined || entry.directory) throw new Error('The ZIP has a file.')
  return entry.getData(new Uint8ArrayWriter())
}

async function contentOf(one: Shown): Promise<Uint8Array> {
  const response = await fetchFile(one)
  expect(response.status).toBe(200)
  const zip = new Uint8Array(await response.arrayBuffer())
  expect(zip.byteLength).toBe(one.bytes)
  return unzip(zip)
}

let userCount = 0
async function addUser(fullName: string, primaryKey: string | undefined, more: Partial<ProviderData> = {}) {
  const { identity, profile, call } = stage.serviceStack
  const { site } = stage.site
  const provider = 'messaging' as const
  const providerUserId = `=U${++userCount}`
  const links = [{ provider, provider_user_id: providerUserId }]
  const { user, links: linked } = await identity.createUser(
    { site, links, ...(primaryKey ? { primary_key: primaryKey } : {}) },
    call(),
  )
  const data: ProviderData = { profile: { full_name: fullName }, follow: null, email: [], phone: [], ...more }
  const obtainedAt = new Date().toISOString()
  for (const { link_id } of linked)
    await profile.recordProviderData(
      { site, identifier: user.identifier, link_id, provider, data, obtained_at: obtainedAt },
      call(),
    )
  return { identifier: user.identifier, provider_user_id: providerUserId }
}
const addUserWithFormula = () => addUser('=HYPERLINK("https://evil.example";"x")', '-1+1')
const addUserWithQuotes = () => addUser('Yamada, "Taro"\nHanako', undefined)

test('an export contains every user once, as CSV without formulas, in a password-protected ZIP', async () => {
  const evil = await addUserWithFormula()
  const plain = await addUserWithQuotes()
  const many: Awaited<ReturnType<typeof addUser>>[] = []
  for (let n = 0; n < 230; n += 10)
    many.push(...(await Promise.all(Array.from({ length: 10 }, (_, m) => addUser('A user', `p-${n + m}`)))))
  const one = await exportUsers({})
  expect(one).toMatchObject({ state: 'ready', written: 232, total: 232, replaced: 0, requested_by: 'test' })
  expect(Date.parse(one.expires_at ?? '') - Date.now()).toBeGreaterThan(86_000_000)

  const content = await contentOf(one)
  expect([...content.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
  const [header, ...rows] = new TextDecoder().decode(content).split('\r\n')
  expect(header).toMatch(/^identifier,primary_key,created_at,mapped_at,login_count,/)
  expect(rows.pop()).toBe('')
  const identifiers = rows.map((row) => row.split(',')[0])
  const newestFirst = [evil, plain, ...many]
    .map(({ identifier }) => identifier)
    .toSorted()
    .reverse()
  expect(identifiers).toEqual(newestFirst)
  expect(rows.find((row) => row.startsWith(evil.identifier))).toContain(`,'-1+1,`)
  expect(rows.find((row) => row.startsWith(evil.identifier))).toContain(`,'${evil.provider_user_id},`)
})

test('an export contains profiles on request, quoted according to RFC 4180', async () => {
  await addUserWithFormula()
  await addUserWithQuotes()
  const { expected } = { expected: `"'=HYPERLINK(""https://evil.example"";""x"")"` }
  const text = new TextDecoder().decode(await contentOf(await exportUsers({ with_profile: true })))
  expect(text).toContain(expected)
  expect(text).toContain('"Yamada, ""Taro""\nHanako"')
})

/** What end users can call themselves, and the cell that does no harm in a spreadsheet. */
const hostileNames: readonly [name: string, cell: string][] = [
  ['=1+1', "'=1+1"],
  [' =1+1', "' =1+1"],
  ['\t=1+1', "'\t=1+1"],
  ['＝1+1', "'＝1+1"],
  ['a\n=1+1', 'a\n=1+1'],
  ['a\r=1+1', 'a\r=1+1'],
  ['a\r\n=1+1,"', 'a\r\n=1+1,"'],
  ['",=1+1', '",=1+1'],
  ['0123', "'0123"],
  ['12345678901234567', "'12345678901234567"],
  ['12E5', "'12E5"],
  ['1-2-3', "'1-2-3"],
  ["'0123", "''0123"],
  ["'Taro", "'Taro"],
  ['123', '123'],
  ['1990-01-31', '1990-01-31'],
]

async function readTable(one: Shown): Promise<string[][]> {
  const text = new TextDecoder().decode(await contentOf(one))
  const unquoted = text.replaceAll(/"(?:[^"]|"")*"/g, '')
  // Any line break outside quotes ends a row, at least for some readers.
  expect(unquoted.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
  return papaparse.parse<string[]>(text, { newline: '\r\n', skipEmptyLines: true }).data
}

test('no name leaves its cell, starts a formula, or is changed as a number', async () => {
  for (const [name] of hostileNames) await addUser(name, undefined)
  const [header, ...rows] = await readTable(await exportUsers({ columns: ['full_name'], numbers_as_text: true }))
  expect(header).toEqual(['full_name'])
  expect(rows.flat().toSorted()).toEqual(hostileNames.map(([, cell]) => cell).toSorted())
  expect(rows).toHaveLength(hostileNames.length)
  const unmarked = await readTable(await exportUsers({ columns: ['full_name'] }))
  expect(unmarked).toContainEqual(['0123'])
  expect(unmarked).toContainEqual(["'=1+1"])
})

test('the command line requests and downloads a table of chosen columns', async () => {
  const { identifier } = await addUser('0123', 'k-1')
  const { serviceStack, site, createToken } = stage
  const token = await createToken(site.account, 'owner')
  const environment = { SOCIAL_LOGIN_URL: serviceStack.console.url, SOCIAL_LOGIN_TOKEN: token }
  const name = ['--account', site.account, '--site-id', site.site_id]
  const columns = ['--file-columns', 'full_name', 'identifier']
  const requested = await socialLogin(
    [
      'exports',
      'request',
      ...name,
      ...columns,
      '--numbers-as-text',
      '--format',
      'csv',
      '--password-file',
      '-',
      '-o',
      'json',
    ],
    { environment, stdin: password },
  )
  expect(requested).toMatchObject({ code: 0, err: '' })
  const { export_id } = UserExport.parse(JSON.parse(requested.out))
  await expect.poll(async () => (await listed(export_id))?.state).toBe('ready')
  const file = join(await mkdtemp(join(tmpdir(), 'export-')), 'users.zip')
  const fetched = await socialLogin(['exports', 'fetch', ...name, '--export-id', export_id, '--to', file], {
    environment,
  })
  expect(fetched).toMatchObject({ code: 0, err: '' })
  const text = new TextDecoder().decode(await unzip(await readFile(file)))
  expect(text).toBe(`full_name,identifier\r\n'0123,${identifier}\r\n`)
})

test('a table has the chosen columns in their order, and an audit entry that names them', async () => {
  const { identity, call } = stage.serviceStack
  const { site } = stage.site
  const taro = await addUser('Yamada Taro', 'k-1', {
    email: ['a@example.com', 'b@example.com'].map((email) => ({ email, verified: email.startsWith('b') })),
  })
  await addUser('Hanako', undefined)
  const { identifier } = taro
  const app = { plan: 'gold', seats: 3, team: { id: 'A', roles: ['x'] } }
  const change = { app_metadata: app, replace: false, command: randomUUID() }
  await identity.changeMetadata({ site, identifier, ...change }, call())
  await identity.blockUser(
    { site, identifier, reason: '=spam', until: null, by: 'Admin', command: randomUUID() },
    call(),
  )
  const columns = ['email', 'name', 'messaging_id', 'state', 'block_reason', 'blocked_by', 'providers']
  columns.push('app_metadata.plan', 'app_metadata.team', 'app_metadata.team.id', 'user_metadata', 'consents')
  const one = await exportUsers({ columns })
  expect(one).toMatchObject({ columns, written: 2 })
  const cells = [
    'a@example.com\nb@example.com',
    'Yamada Taro',
    `'${taro.provider_user_id}`,
    'blocked',
    "'=spam",
    'Admin',
  ]
  const metadata = ['gold', '{"id":"A","roles":["x"]}', 'A', '{}', '']
  const [header, ...rows] = await readTable(one)
  const [blocked, hanako] = ['Yamada Taro', 'Hanako'].map((name) => rows.find((row) => row[1] === name))
  expect(header).toEqual(columns)
  expect(blocked).toEqual([...cells, 'messaging', ...metadata])
  expect(hanako?.slice(3)).toEqual(['active', '', '', 'messaging', '', '', '', '', ''])
  const { body } = await stage.requestAdminApi('GET', `/accounts/${stage.site.account}/audit?action=requestExport`)
  const { entries } = adminApi.listAudit.output.parse(body)
  expect(entries[0]?.after).toMatchObject({ export_id: one.export_id, columns, with_profile: true })
  const withoutData = await exportUsers({ columns: ['identifier', 'state'] })
  const { with_profile } = await stage.knex('exports').where({ export_id: withoutData.export_id }).first()
  expect(with_profile).toBe(false)
})

test.each([
  [{ columns: ['emial'] }, 'columns.0'],
  [{ columns: ['email', 'email'] }, 'columns'],
  [{ columns: ['other_id'] }, 'columns'],
  [{ columns: ['email'], format: 'ndjson' }, 'columns'],
  [{ columns: ['email'], with_profile: true }, 'with_profile'],
])('columns that a file cannot have are rejected: %j', async (input, field) => {
  expect(await stage.request('POST', '/exports', { password, ...input })).toMatchObject({
    status: 400,
    body: { error: { field } },
  })
})

test('Shift_JIS is the Windows variant; characters that it does not contain are replaced and counted', async () => {
  await addUser('山田～太郎 〜①髙', 'shift-jis')
  await addUser('Søren 😀 ?', 'lossy')
  const one = await exportUsers({ charset: 'Shift_JIS', with_profile: true })
  expect(one).toMatchObject({ charset: 'Shift_JIS', state: 'ready', replaced: 2 })
  const text = iconv.decode(Buffer.from(await contentOf(one)), 'cp932')
  expect(text).toMatch(/^identifier,/)
  expect(text).toContain('山田～太郎 ～①髙')
  expect(text).toContain('S?ren ? ?')
})

test('the password is not stored, and a wrong password does not open the file', async () => {
  const one = await exportUsers({})
  const zip = new Uint8Array(await (await fetchFile(one)).arrayBuffer())
  await expect(unzip(zip, 'another password')).rejects.toThrow()
  const { rows } = await stage.knex.raw(
    `select 'x' from exports e where e::text like ? union all select 'x' from audit_entries a where a::text like ?
     union all select 'x' from export_parts p where position(?::bytea in content) > 0`,
    [`%${password}%`, `%${password}%`, Buffer.from('identifier,primary_key')],
  )
  expect(rows).toEqual([])
})

test('a site has only one export in progress, and a short password is rejected with its field', async () => {
  const short = await stage.request('POST', '/exports', { password: 'short' })
  expect(short).toMatchObject({ status: 400, body: { error: { field: 'password' } } })
  const exportId = randomUUID()
  await stage.knex('exports').insert({
    export_id: exportId,
    site: stage.site.site,
    charset: 'UTF-8',
    with_profile: false,
    requested_by: 'x',
    requested_at: new Date(),
    state: 'running',
    heartbeat_at: new Date(),
  })
  const second = await stage.request('POST', '/exports', { password })
  expect(second).toMatchObject({ status: 409, body: { error: { message: expect.stringContaining('in progress') } } })

  // Simulates the end of its process.
  await stage
    .knex('exports')
    .where({ export_id: exportId })
    .update({ heartbeat_at: new Date(0) })
  expect(await listed(exportId)).toMatchObject({ state: 'failed', file: null })
  expect((await exportUsers({})).state).toBe('ready')
})

test('only owners can download the file until it expires, and each download is in the audit trail', async () => {
  const one = await exportUsers({})
  expect(one.file).toBe(
    `/admin/v1/accounts/${stage.site.account}/sites/${stage.site.site_id}/exports/${one.export_id}/file`,
  )
  const anonymous = await fetch(`${stage.serviceStack.console.url}${one.file}`)
  expect(anonymous.status).toBe(401)
  const response = await fetchFile(one)
  expect(response.headers.get('content-type')).toBe('application/zip')
  expect(response.headers.get('content-disposition')).toContain(one.export_id)
  await response.arrayBuffer()
  const trail = await stage
    .knex('audit_entries')
    .whereIn('action', ['requestExport', 'fetchExport'])
    .select('action', 'after')
  expect(trail).toContainEqual({ action: 'fetchExport', after: { export_id: one.export_id } })
  expect(trail.filter(({ action }) => action === 'requestExport').length).toBeGreaterThan(0)

  await stage
    .knex('exports')
    .where({ export_id: one.export_id })
    .update({ expires_at: new Date(0) })
  expect(await listed(one.export_id)).toMatchObject({ state: 'expired', file: null })
  expect((await fetchFile(one)).status).toBe(404)
  expect((await fetchFile({ export_id: randomUUID() })).status).toBe(404)
})

test('an export waits for an unavailable service; if its process ends, it fails and its parts are deleted', async () => {
  const { serviceStack, knex } = stage
  await addUser('A user', undefined)
  await using _profile = await serviceStack.stopService('profile')
  const requested = await stage.request('POST', '/exports', { password, with_profile: true })
  const { export_id } = UserExport.parse(requested.body)
  const stateNow = async () => (await knex('exports').where({ export_id }).first('state')).state
  await waitFor(async () => expect(await stateNow()).toBe('running'))
  await using _console = await serviceStack.stopService('console')
  expect(await stateNow()).toBe('failed')
  expect(await knex('export_parts').where({ export_id })).toEqual([])
})
