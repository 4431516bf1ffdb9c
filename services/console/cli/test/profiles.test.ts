import { mkdir, mkdtemp, readFile, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ConnectionProfile } from '../profiles.ts'
import { socialLogin, startStubServer } from './harness.ts'

const member = {
  member_id: '00000000-0000-4000-8000-000000000001',
  name: 'deploy',
  operator: false,
  roles: [],
  passkeys: 0,
  last_signed_in_at: null,
  created_at: '2026-01-01T00:00:00Z',
}
const me = { member, by: 'token', passkeys: [], provider: null, sessions: [], confirmed_until: null }

async function newHome() {
  return { XDG_CONFIG_HOME: await mkdtemp(join(tmpdir(), 'social-login-')) }
}

test('a login stores a valid token, readable by its owner only, and later commands use it', async () => {
  const environment = await newHome()
  await using server = await startStubServer({ status: 200, body: me })
  const { SOCIAL_LOGIN_URL: url } = server.environment
  const login = (profile: string, token: string) =>
    socialLogin(['login', '--profile', profile, '--url', url, '--token-file', '-'], {
      environment,
      stdin: `${token}\n`,
    })
  expect(await login('staging', 'slt_one')).toMatchObject({
    code: 0,
    out: `Logged in to ${url} as deploy. Profile staging is now the current profile.\n`,
  })
  expect(await login('production', 'slt_two')).toMatchObject({ code: 0 })
  const file = join(environment.XDG_CONFIG_HOME, 'social-login/profiles.json')
  expect((await stat(file)).mode & 0o777).toBe(0o600)

  const tokenSent = async (args: string[], more: Record<string, string> = {}) => {
    expect(await socialLogin(['me', 'show', ...args], { environment: { ...environment, ...more } })).toMatchObject({
      code: 0,
    })
    return server.received.at(-1)?.headers.authorization
  }
  expect(await tokenSent([])).toBe('Bearer slt_two')
  expect(await tokenSent(['--profile', 'staging'])).toBe('Bearer slt_one')
  expect(await tokenSent([], { SOCIAL_LOGIN_PROFILE: 'staging' })).toBe('Bearer slt_one')
  expect(await tokenSent([], server.environment)).toBe('Bearer slt_test')
  expect(await tokenSent(['--profile', 'staging'], server.environment)).toBe('Bearer slt_one')

  const listed = await socialLogin(['profiles', '-o', 'json'], { environment })
  expect(listed.out).not.toContain('slt_')
  expect(JSON.parse(listed.out).profiles).toMatchObject([
    { profile: 'staging', current: false },
    { profile: 'production', current: true },
  ])
  expect(await socialLogin(['logout'], { environment })).toMatchObject({ code: 0 })
  expect(await readFile(file, 'utf8')).not.toContain('slt_two')
  expect(await socialLogin(['me', 'show'], { environment })).toMatchObject({
    code: 2,
    err: expect.stringContaining('social-login login'),
  })
})

test('an invalid token is not stored, and a token is not sent to another console', async () => {
  const environment = await newHome()
  await using server = await startStubServer(
    {
      status: 401,
      body: { error: { name: 'not_signed_in', message: 'Sign-in failed. Sign in, or send a valid token.' } },
    },
    { status: 200, body: me },
  )
  const { SOCIAL_LOGIN_URL: url } = server.environment
  const login = ['login', '--url', url, '--token-file', '-']
  expect(await socialLogin(login, { environment, stdin: 'slt_wrong' })).toMatchObject({ code: 3 })
  await expect(stat(join(environment.XDG_CONFIG_HOME, 'social-login'))).rejects.toThrow('ENOENT')
  expect(await socialLogin(login, { environment, stdin: 'slt_right' })).toMatchObject({ code: 0 })
  const elsewhere = await socialLogin(['me', 'show', '--url', 'https://other.example'], { environment })
  expect(elsewhere).toMatchObject({ code: 3, err: expect.stringContaining('No token') })
  const unknown = await socialLogin(['me', 'show', '--profile', 'unknown'], { environment })
  expect(unknown).toMatchObject({
    code: 2,
    err: expect.stringContaining('Profile "unknown" not found. Stored profiles: default.'),
  })
})

test('a profile allows http only for its own console', async () => {
  const environment = await newHome()
  const directory = join(environment.XDG_CONFIG_HOME, 'social-login')
  await mkdir(directory)
  const internal: ConnectionProfile = { url: 'http://console.internal.example/', token: 'slt_one', allow_http: true }
  await writeFile(join(directory, 'profiles.json'), JSON.stringify({ current: 'internal', profiles: { internal } }))
  const tokenFile = join(environment.XDG_CONFIG_HOME, 'token')
  await writeFile(tokenFile, 'slt_two')
  const options = ['--profile', 'internal', '--url', 'http://other.example', '--token-file', tokenFile]
  expect(await socialLogin(['me', 'show', ...options], { environment })).toMatchObject({
    code: 2,
    err: expect.stringContaining('--allow-http'),
  })
})
