import { execFile } from 'node:child_process'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { nodeEnvironment } from '#testing'
import { type Harness, startConsole } from './harness.ts'

const run = promisify(execFile)

/** Each command is a separate process, which is slow on a busy machine. */
vi.setConfig({ testTimeout: 120_000 })

let development: Harness
let production: Harness
beforeAll(async () => {
  development = await startConsole({ environment: { NODE_ENV: 'development' } })
  production = await startConsole({ environment: { NODE_ENV: 'production' } })
})
afterAll(async () => {
  await development[Symbol.asyncDispose]()
  await production[Symbol.asyncDispose]()
})

async function command(script: string, { url, database_url }: Harness, args: readonly string[]): Promise<string> {
  const { stdout } = await run(process.execPath, [join(import.meta.dirname, '..', script), ...args], {
    env: { ...nodeEnvironment, DATABASE_URL: database_url, CONSOLE_URL: url },
  })
  return stdout
}

const invite = (harness: Harness, ...given: string[]) => command('invite-operator.ts', harness, given)

async function open(harness: Harness, output: string) {
  const [, token] = /\/sign-in#([\w-]{43})\n/.exec(output) ?? []
  // The command uses the real clock.
  harness.clock.now = new Date()
  return harness.anonymous.send('POST', '/sign-in/link', {
    body: { token },
    headers: { 'x-console': '1', origin: harness.url },
  })
}

test('the first operator adds a passkey with the link', async () => {
  const output = await invite(production, '--name', 'Ada')
  expect(output).toMatch(/The link can be used once, until 20\d\d-.*Z\.$/m)
  expect(await open(production, output)).toMatchObject({ status: 200, body: { next: 'passkey', name: 'Ada' } })
})

test('a sign-in link works once, for the same operator each time, only on a development machine', async () => {
  const links = ['Ada', 'Ada'].map((name) => invite(development, '--name', name, '--sign-in'))
  for (const output of await Promise.all(links)) {
    const response = await open(development, output)
    expect(response).toMatchObject({ status: 200, body: { next: 'signed_in' } })
    const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? ''
    const me = await development.anonymous.send('GET', '/admin/v1/me', { headers: { cookie } })
    expect(me).toMatchObject({ status: 200, body: { member: { name: 'Ada', operator: true } } })
    expect((await open(development, output)).status).toBe(404)
  }
  expect(await development.knex('members')).toHaveLength(1)
  const output = await invite(production, '--name', 'Ada', '--sign-in')
  expect(await open(production, output)).toMatchObject({ status: 200, body: { next: 'passkey' } })
})

test.each([[[]], [['--name', ' ']], [['--nam', 'Ada']]])('%j prints the usage and exits with 1', async (given) => {
  await expect(invite(production, ...given)).rejects.toMatchObject({
    code: 1,
    stderr: 'usage: invite-operator --name <name> [--sign-in]\n',
  })
})

test('links do not sign in outside a development environment or at a public address', async () => {
  await using elsewhere = await startConsole({
    environment: { NODE_ENV: 'development', CONSOLE_URL: 'https://console.example.com' },
  })
  const output = await invite(elsewhere, '--name', 'Ada', '--sign-in')
  const [, token] = /\/sign-in#([\w-]{43})\n/.exec(output) ?? []
  elsewhere.clock.now = new Date()
  const response = await elsewhere.anonymous.send('POST', '/sign-in/link', {
    body: { token },
    headers: { 'x-console': '1', origin: 'https://console.example.com' },
  })
  expect(response).toMatchObject({ status: 200, body: { next: 'passkey' } })
})

test('an operator token works before any sign-in', async () => {
  const output = await command('issue-operator-token.ts', production, ['--name', 'deploy', '--days', '2'])
  const [token, lives] = output.split('\n')
  expect(lives).toMatch(/^The token expires at 20\d\d-.*Z\.$/)
  production.clock.now = new Date()
  const me = await production.anonymous.send('GET', '/admin/v1/me', { headers: { authorization: `Bearer ${token}` } })
  expect(me).toMatchObject({ status: 200, body: { by: 'token', member: { name: 'deploy', operator: true } } })
  await expect(
    command('issue-operator-token.ts', production, ['--name', 'deploy', '--days', '367']),
  ).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('usage: ') })
})

test('commands have an audit entry with the machine and without the secret', async () => {
  await invite(production, '--name', 'Bob')
  const output = await command('issue-operator-token.ts', production, ['--name', 'nightly'])
  const token = output.split('\n')[0] ?? ''
  production.clock.now = new Date()
  const headers = { authorization: `Bearer ${token}` }
  const { body } = await production.anonymous.send('GET', '/admin/v1/audit?actor=command%20line&limit=2', { headers })
  const byCommand = {
    actor: 'command line',
    member_id: null,
    token_id: null,
    address: hostname(),
    outcome: 'succeeded',
  }
  expect(body).toMatchObject({
    entries: [
      { action: 'issueOperatorToken', after: { name: 'nightly' }, ...byCommand },
      { action: 'inviteOperator', after: { name: 'Bob' }, ...byCommand },
    ],
  })
  expect(JSON.stringify(body)).not.toContain(token)
})
