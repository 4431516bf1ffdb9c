import { spawnSync } from 'node:child_process'
import { cp, mkdtemp, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { type AdminProcedure, type AdminProcedureName, adminApi, adminFaults, getFieldHelp } from '#admin-api'
import { commands, groups } from '../commands.ts'
import { socialLogin, startStubServer } from './harness.ts'

const launcher = fileURLToPath(new URL('../social-login.js', import.meta.url))
const site = ['--account', 'demo', '--site-id', 'shop']
const nowhere = { SOCIAL_LOGIN_URL: 'http://127.0.0.1:1', SOCIAL_LOGIN_TOKEN: 'slt_test' }

test('the launcher works with any Node version', () => {
  const { status, stdout, stderr } = spawnSync(launcher, ['sites', 'list'], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH },
  })
  expect({ status, stdout, stderr }).toEqual({
    status: 2,
    stdout: '',
    stderr: 'social-login: The input is invalid. Fix these options:\n  --account is missing\n',
  })
})

test('a closed pipe causes no error message', () => {
  const { stdout, stderr } = spawnSync('sh', ['-c', `${launcher} schema | head -n 1`], { encoding: 'utf8' })
  expect({ stdout, stderr }).toEqual({ stdout: '{\n', stderr: '' })
})

test('it also runs as an installed package', async () => {
  const root = fileURLToPath(new URL('../../../../', import.meta.url))
  const installed = join(await mkdtemp(join(tmpdir(), 'social-login-')), 'node_modules/social-login')
  for (const part of ['package.json', 'libs', 'services/console/cli', 'services/console/input-problems.ts'])
    await cp(join(root, part), join(installed, part), { recursive: true })
  await symlink(join(root, 'node_modules'), join(installed, 'node_modules'))
  const launcher = join(installed, 'services/console/cli/social-login.js')
  const { stdout, stderr } = spawnSync(launcher, ['--help'], { encoding: 'utf8' })
  expect(stderr).toBe('')
  expect(stdout).toContain('Usage: social-login')
})

// The literal has the keys that its type names.
const procedures = Object.entries(commands) as [AdminProcedureName, string][]

test.each(procedures)('%s has a help text: %s', async (name, words) => {
  const { code, out } = await socialLogin([...words.split(' '), '--help'])
  expect(code).toBe(0)
  expect(out.replace(/\s+/g, ' ')).toContain(adminApi[name].summary)
  const procedure: AdminProcedure = adminApi[name]
  for (const field of Object.keys(procedure.input.shape)) {
    expect(out).toContain(`--${field.replaceAll('_', '-')}`)
    expect(getFieldHelp(procedure, field), `${name}: what is ${field}?`).toBeDefined()
  }
})

test('every command has a unique name and a group with a description', () => {
  const words = procedures.map(([, command]) => command)
  expect(new Set(words).size).toBe(words.length)
  expect(new Set(words.map((command) => command.split(' ')[0]))).toEqual(new Set(Object.keys(groups)))
})

test.each([
  ['a missing field', ['sites', 'list'], '--account is missing'],
  [
    'a name that cannot be',
    ['sites', 'show', '--account', 'Demo!', '--site-id', 'shop'],
    '--account must be lower-case letters, digits and hyphens',
  ],
  [
    'a time that is none',
    ['audit', 'list', '--account', 'demo', '--since', 'yesterday'],
    '--since must be a time in UTC such as 20',
  ],
  [
    'a name of a button without a language',
    ['sites', 'change', ...site, '--provider-names', 'search=Google'],
    '--provider-names: "search=Google" should be key.key=value',
  ],
  ['a format that is none', ['accounts', 'list', '-o', 'xml'], 'Allowed choices are table, wide, json, yaml'],
  [
    'a number that is none',
    ['sites', 'change', ...site, '--requests-per-window', 'many'],
    '--requests-per-window: "many" is not a number',
  ],
  [
    'an entry of a list',
    ['sites', 'change', ...site, '--allowed-addresses', '192.0.2.1', 'here'],
    '--allowed-addresses (1) ',
  ],
  [
    'a pair that is none',
    ['providers', 'save', ...site, '--provider', 'social', '--client-id', '1', '--options', 'x'],
    '--options: "x" should be key=value',
  ],
  ['a choice', ['clients', 'create', ...site, '--kind', 'secret'], 'Allowed choices are confidential, public'],
  ['an unknown option', ['sites', 'list', '--acount', 'demo'], "unknown option '--acount'"],
  ['an unknown command', ['sties', 'list'], "unknown command 'sties'"],
  [
    'a revision',
    ['accounts', 'change', '--account', 'demo', '--name', 'D', '--revision', 'new'],
    '--revision: "new" is not a whole number',
  ],
  [
    'a file that is not there',
    ['sites', 'create', '--input', '/nowhere.yaml'],
    '/nowhere.yaml cannot be read (ENOENT)',
  ],
])('%s is reported before any request', async (_what, args, complaint) => {
  const { code, out, err } = await socialLogin(args, { environment: nowhere })
  expect(err).toContain(complaint)
  expect({ code, out }).toEqual({ code: 2, out: '' })
})

test.each([
  ['no console', {}, [], 2, 'Set --url or SOCIAL_LOGIN_URL'],
  ['an address that is none', nowhere, ['--url', 'console'], 2, 'console is not a valid address'],
  ['an address without TLS', nowhere, ['--url', 'http://console.example'], 2, 'would send the token unencrypted'],
  ['no token', { SOCIAL_LOGIN_URL: 'https://console.example' }, [], 3, 'No token. Set SOCIAL_LOGIN_TOKEN'],
  ['no token file', nowhere, ['--token-file', '/nowhere'], 2, '--token-file /nowhere cannot be read (ENOENT)'],
  ['an unreachable console', nowhere, [], 6, 'The console at http://127.0.0.1:1 did not respond'],
])('%s: the message says what to do', async (_what, environment, args, code, complaint) => {
  const ended = await socialLogin(['accounts', 'list', ...args], { environment })
  expect(ended.err).toContain(complaint)
  expect(ended.code).toBe(code)
})

test('fields are sent in path, query and body, with the token', async () => {
  await using server = await startStubServer({ status: 200, body: {} })
  const { environment } = server
  await socialLogin(['users', 'list', ...site, '--limit', '5', '--mapped', 'mapped_only'], { environment })
  await socialLogin(['users', 'unlink', ...site, '--identifier', 'a/b', '--provider', 'search', '--force'], {
    environment,
  })
  await socialLogin(
    [
      'sites',
      'change',
      ...site,
      '--revision',
      '3',
      '--no-domains',
      '--fixed-address-option',
      '--requests-per-window',
      '5',
      '--profile-not-stored',
      'messaging=gender,bio',
      'search=',
      '--provider-names',
      'search.en=Google account',
      'search.ja=Googleアカウント',
      'portal.ja=ヤフー',
    ],
    { environment },
  )
  expect(server.received.map(({ method, url, body }) => [method, url, body])).toEqual([
    ['GET', '/admin/v1/accounts/demo/sites/shop/users?limit=5&mapped=mapped_only', ''],
    ['DELETE', '/admin/v1/accounts/demo/sites/shop/users/a%2Fb/links/search?force=true', ''],
    [
      'PATCH',
      '/admin/v1/accounts/demo/sites/shop',
      JSON.stringify({
        domains: [],
        requests_per_window: 5,
        fixed_address_option: true,
        profile_not_stored: { messaging: ['gender', 'bio'], search: [] },
        provider_names: { search: { en: 'Google account', ja: 'Googleアカウント' }, portal: { ja: 'ヤフー' } },
      }),
    ],
  ])
  expect(server.received[2]?.headers).toMatchObject({ authorization: 'Bearer slt_test', 'if-match': '"3"' })
})

const account = { account: 'demo', name: 'Demo', created_at: '2026-01-01T00:00:00Z', revision: 4 }

test('a change without a revision reads the newest first', async () => {
  await using server = await startStubServer({ status: 200, body: account }, { status: 200, body: account })
  await socialLogin(['accounts', 'change', '--account', 'demo', '--name', 'D'], server)
  expect(server.received.map(({ method, headers }) => [method, headers['if-match']])).toEqual([
    ['GET', undefined],
    ['PATCH', '"4"'],
  ])
})

test('secrets are read from files and standard input, and rejected as arguments', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'social-login-')), 'secret')
  await writeFile(file, 'from a file\n')
  await using server = await startStubServer({ status: 200, body: {} })
  const save = ['providers', 'save', ...site, '--provider', 'messaging', '--client-id', '1', '--revision', '0']
  const { code } = await socialLogin([...save, '--client-secret-file', file, '--options', 'webhook_secret=@-'], {
    ...server,
    stdin: 'from standard input',
  })
  expect(code).toBe(0)
  expect(JSON.parse(server.received[0]?.body ?? '')).toEqual({
    client_id: '1',
    client_secret: 'from a file',
    options: { webhook_secret: 'from standard input' },
  })
  const typed = await socialLogin([...save, '--options', 'webhook_secret=abc'], server)
  expect(typed.err).toContain('a secret cannot be passed as an argument')
  expect((await socialLogin([...save, '--client-secret', 'abc'], server)).err).toContain(
    "unknown option '--client-secret'",
  )
  expect(server.received).toHaveLength(1)
})

test('one-time secrets can be written to a file that only its owner can read', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'social-login-')), 'secrets')
  const response = { api_key_id: '00000000-0000-4000-8000-000000000001', api_key: 'abcdef' }
  await using server = await startStubServer({ status: 200, body: response })
  const { out } = await socialLogin(['keys', 'issue', ...site, '--name', 'backend', '--secrets-out', file], server)
  expect(out).toBe(`api_key_id  ${response.api_key_id}\napi_key     (in ${file})\n`)
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ ...response, name: 'backend' })
  expect((await stat(file)).mode & 0o777).toBe(0o600)
})

test('the file of an export is downloaded completely or not at all, readable by its owner only', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'social-login-'))
  const output = join(directory, 'users.zip')
  const exportId = '00000000-0000-4000-8000-000000000001'
  const fetching = ['exports', 'fetch', ...site, '--export-id', exportId, '--to', output]
  const errorBody = { error: { name: 'not_found', message: 'The file does not exist or has expired.' } }
  await using server = await startStubServer({ status: 404, body: errorBody }, { status: 200, body: 'PK-content' })
  expect(await socialLogin(fetching, server)).toMatchObject({ code: 4, err: expect.stringContaining('does not exist') })
  await expect(stat(output)).rejects.toThrow('ENOENT')

  expect(await socialLogin(fetching, server)).toMatchObject({ code: 0, out: `${output}: 10 bytes.\n` })
  expect(server.received.map(({ url }) => url)).toEqual(
    Array(2).fill(`/admin/v1/accounts/demo/sites/shop/exports/${exportId}/file`),
  )
  expect(await readFile(output, 'utf8')).toBe('PK-content')
  expect((await stat(output)).mode & 0o777).toBe(0o600)
  const again = await socialLogin(fetching, server)
  expect(again).toMatchObject({ code: 2, err: expect.stringContaining('cannot be written (EEXIST)') })
  expect(server.received).toHaveLength(2)
  const another = join(directory, 'again.zip')
  const { out } = await socialLogin([...fetching.slice(0, -1), another, '-o', 'json'], server)
  expect(JSON.parse(out)).toEqual({ file: another, bytes: 10 })
})

test('lists are tables with wide characters aligned and control characters replaced; --json prints the response', async () => {
  const body = {
    accounts: [
      { ...account, name: '株式会社' },
      { ...account, account: 'evil', name: 'x\u001b[2J' },
    ],
  }
  await using server = await startStubServer({ status: 200, body })
  const { out } = await socialLogin(['accounts', 'list'], server)
  expect(out.split('\n')).toEqual([
    'account  name      created_at',
    'demo     株式会社  2026-01-01T00:00:00Z',
    'evil     x\ufffd[2J     2026-01-01T00:00:00Z',
    '',
  ])
  const narrow = await socialLogin(['accounts', 'list'], { ...server, columns: 30 })
  expect(narrow.out.split('\n')[1]).toBe('demo     株式会社')
  expect(narrow.err).toBe(
    'Columns hidden because the terminal is too narrow: created_at. -o wide shows every column.\n',
  )
  const wide = await socialLogin(['accounts', 'list', '-o', 'wide'], { ...server, columns: 30 })
  expect(wide.out.split('\n')[0]).toBe('account  name      created_at            revision')
  const chosen = await socialLogin(['accounts', 'list', '--columns', 'name,revision'], server)
  expect(chosen.out.split('\n').slice(0, 2)).toEqual(['name      revision', '株式会社  4'])
  const unknown = await socialLogin(['accounts', 'list', '--columns', 'nam'], server)
  expect(unknown).toMatchObject({
    code: 2,
    err: expect.stringContaining('Available columns: account, name, created_at, revision'),
  })
  const { out: yaml } = await socialLogin(['accounts', 'list', '-o', 'yaml'], server)
  expect(parse(yaml)).toEqual(body)
  const { out: json } = await socialLogin(['accounts', 'list', '--json'], server)
  expect(JSON.parse(json)).toEqual(body)
})

test('only lists with a selected column are printed', async () => {
  const member = { member_id: '00000000-0000-4000-8000-000000000001', name: 'Mia', passkeys: 1 }
  const invitation = { invitation_id: '00000000-0000-4000-8000-000000000002', name: 'Ivo', role: 'viewer' }
  const body = { members: [member], invitations: [invitation] }
  await using server = await startStubServer({ status: 200, body })
  const { out } = await socialLogin(['members', 'list', '--account', 'demo', '--columns', 'name,role'], server)
  expect(out).toBe('members\n  name\n  Mia\n\ninvitations\n  name  role\n  Ivo   viewer\n')
  const one = await socialLogin(['members', 'list', '--account', 'demo', '--columns', 'role'], server)
  expect(one.out).toBe('invitations\n  role\n  viewer\n')
})

const exits = {
  invalid_request: 2,
  not_signed_in: 3,
  not_allowed: 3,
  passkey_required: 3,
  not_found: 4,
  conflict: 5,
  revision_mismatch: 5,
  revision_required: 2,
  too_many_requests: 6,
  unavailable: 6,
} as const

test.each(Object.entries(exits))('the error %s exits with %i and its message', async (name, code) => {
  const { status, message } = Object.entries(adminFaults).find(([fault]) => fault === name)?.[1] ?? {
    status: 0,
    message: '',
  }
  await using server = await startStubServer({ status, body: { error: { name, message, field: 'account' } } })
  const ended = await socialLogin(['accounts', 'list'], server)
  expect(ended.err).toContain(`social-login: account: ${message}`)
  expect({ code: ended.code, out: ended.out }).toEqual({ code, out: '' })
})

test.each([
  [
    'says nothing',
    { status: 500, body: '', headers: { 'x-request-id': 'r1' } },
    1,
    'returned 500 without an error message. The log of the console has details under the request ID r1',
  ],
  ['is no console', { status: 200, body: '<html>' }, 1, 'Check that --url is the address of a console.'],
  ['is behind a proxy that cannot reach it', { status: 502, body: 'Bad Gateway' }, 6, 'returned 502'],
  ['sends elsewhere', { status: 302, body: '' }, 1, 'returned 302'],
])('a console that %s is distinguished from an error response', async (_what, response, code, complaint) => {
  await using server = await startStubServer(response)
  const ended = await socialLogin(['accounts', 'list'], server)
  expect(ended.err).toContain(complaint)
  expect(ended.code).toBe(code)
})

test.each([
  ['the groups', ['sit'], ['sites']],
  ['the commands of a group', ['tokens', ''], ['list', 'issue', 'revoke']],
  ['the options of a command', ['clients', 'create', '--k'], ['--kind']],
  ['the choices of an option', ['clients', 'create', '--kind', ''], ['confidential', 'public']],
  ['shells', ['completion', 'z'], ['zsh']],
])('completion offers %s', async (_what, words, offered) => {
  const { out } = await socialLogin(['complete', '--', ...words])
  expect(out.split('\n').slice(0, -1)).toEqual(offered)
})
