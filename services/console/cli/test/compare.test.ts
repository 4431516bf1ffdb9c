import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { type SeededSite, type SharedStack, seedSite, sharedStack } from '#testing'
import { newAccessToken } from '../../../provider-auth/store/access-tokens.ts'
import { socialLogin, startStubServer } from './harness.ts'

let serviceStack: SharedStack
let first: SeededSite
let second: SeededSite
let directory: string
beforeAll(async () => {
  serviceStack = await sharedStack()
  first = await seedSite(serviceStack)
  second = await seedSite(serviceStack)
  directory = await mkdtemp(join(tmpdir(), 'compare-'))
})
afterAll(() => rm(directory, { recursive: true }))

const variables = ({ site_id, api_key, client, site }: SeededSite) => {
  const name = site_id.replaceAll('-', '_')
  return {
    [`KEY_${name}`]: api_key,
    [`SECRET_${name}`]: client.client_secret,
    [`TOKEN_${name}`]: newAccessToken(site),
  }
}

const describeSite = (site: SeededSite) => {
  const name = site.site_id.replaceAll('-', '_')
  return {
    web_api_url: new URL(serviceStack.web_api).origin,
    auth_url: serviceStack.auth,
    client_id: site.client.client_id,
    api_key: { from_env: `KEY_${name}` },
    client_secret: { from_env: `SECRET_${name}` },
    expired_access_token: { from_env: `TOKEN_${name}` },
  }
}

async function compare(file: object, options: readonly string[] = [], environment: Record<string, string> = {}) {
  const path = join(directory, `${randomUUID()}.yaml`)
  await writeFile(path, stringify(file))
  const variablesOfBoth = { ...variables(first), ...variables(second), ...environment }
  const ended = await socialLogin(['compare', '-f', path, ...options], { environment: variablesOfBoth })
  for (const secret of Object.values(variablesOfBoth)) expect(ended.out + ended.err).not.toContain(secret)
  return ended
}

interface Printed {
  readonly requests: readonly { request: string; result: string; differences: { path: string }[] }[]
}

async function readDifferences(file: object, environment: Record<string, string> = {}) {
  const { code, out } = await compare(file, ['--json'], environment)
  const { requests }: Printed = JSON.parse(out)
  const different = requests.filter(({ result }) => result !== 'same')
  return { code, different: Object.fromEntries(different.map((one) => [one.request, one.differences])), requests }
}

test('exit code 0 if all responses are equal', async () => {
  const { code, out, err } = await compare({ before: describeSite(first), after: describeSite(first) })
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toMatch(/^same {7}discovery document\nsame {7}appinfo\n/)
  expect(out).not.toMatch(/different|skipped/)
})

/** The errors of both services by which it can be seen whether they know the site's compatibility options. */
async function readErrorShapes({ api_key, site }: SeededSite) {
  const user = await fetch(
    `${serviceStack.web_api}/user_attribute?${new URLSearchParams({ key: api_key, identifier: '0'.repeat(40) })}`,
  )
  const headers = { authorization: `Bearer ${newAccessToken(site)}` }
  const userinfo = await fetch(`${serviceStack.auth}/oauth2/userinfo`, { headers })
  return { web_api: await user.json(), userinfo: await userinfo.json() }
}

test('exit code 10 with the differences of error shapes, which compatibility options remove', async () => {
  const compatibility = ['short_errors', 'token_errors_400', 'userinfo_unauthorized'] as const
  // Sites of the other tests have no compatibility options.
  const [before, after] = [await seedSite(serviceStack), await seedSite(serviceStack)]
  const change = (site: SeededSite) =>
    serviceStack.identity.changeSite({ site: site.site, compatibility: [...compatibility] }, serviceStack.call())
  const file = { before: describeSite(before), after: describeSite(after) }
  const read = () => readDifferences(file, { ...variables(before), ...variables(after) })
  // Each comparison tries wrong client secrets, of which an address may send only a few.
  const whenChanged = (site: SeededSite) =>
    expect.poll(async () => JSON.stringify(await readErrorShapes(site))).not.toMatch(/documentation|is invalid/)
  await change(after)
  await whenChanged(after)
  const { code, different } = await read()
  expect(code).toBe(10)
  expect(different['user_attribute, unknown user']).toEqual([
    { path: 'body.error.documentation', before: expect.stringContaining('/docs#error-7') },
  ])
  expect(different['token endpoint, wrong client secret']).toEqual([{ path: 'status', before: 401, after: 400 }])
  expect(different['userinfo, expired token']).toEqual([
    { path: 'body.error', before: 'invalid_token', after: 'unauthorized' },
    { path: 'body.error_description', before: 'The access token is invalid.' },
  ])
  expect(different).not.toHaveProperty('appinfo, wrong key')
  await change(before)
  await whenChanged(before)
  expect(Object.keys((await read()).different)).toEqual(['appinfo'])
})

test('of users it prints where responses differ, but no values', async () => {
  const { identity, call } = serviceStack
  const names = { primary_key: `customer-${randomUUID()}` }
  await identity.createUser({ site: first.site, links: [], ...names }, call())
  const links = [{ provider: 'search', provider_user_id: 'secret-account-id' } as const]
  await identity.createUser({ site: second.site, links, ...names }, call())
  const { out } = await compare({ before: describeSite(first), after: describeSite(second), users: [names] })
  expect(out).toContain('different  profile, user 1\n             body.user.identifier: "string" → "string"')
  expect(out).toContain('body.providers.0: "absent" → "string"')
  expect(out).not.toMatch(/secret-account-id|customer-/)
})

test('no values of a token that turns out to be valid, or of a request that one deployment accepts', async () => {
  const body = { sub: 'personal-sub', users: ['personal-identifier'] }
  await using stub = await startStubServer({ status: 200, body })
  const url = stub.environment.SOCIAL_LOGIN_URL
  const secrets = { api_key: { from_env: 'STUB_KEY' }, expired_access_token: { from_env: 'STUB_KEY' } }
  const other = { web_api_url: url, auth_url: url, ...secrets }
  const { out } = await compare({ before: other, after: describeSite(first) }, [], { STUB_KEY: 'key-of-stub' })
  expect(out).toContain('different  userinfo, expired token\n             status: 200 → 401')
  const ofPublic = /discovery document|appinfo$|providers$/
  const blocks = out.split(/^(?=\S)/m).filter((block) => !ofPublic.test(block.split('\n')[0] ?? ''))
  expect(blocks.join('')).not.toContain('personal')
})

test('requests that a deployment has no client or token for are skipped', async () => {
  const { web_api_url, auth_url, api_key } = describeSite(first)
  const { requests } = await readDifferences({ before: { web_api_url, auth_url, api_key }, after: describeSite(first) })
  const skipped = requests.filter(({ result }) => result === 'skipped').map(({ request }) => request)
  expect(skipped).toEqual([
    'token endpoint, wrong client secret',
    'token endpoint, unknown code',
    'token endpoint, unknown grant_type',
    'userinfo, expired token',
  ])
})

test('only reading requests are sent, and responses of any format are compared', async () => {
  await using stub = await startStubServer({ status: 404, body: '<html>key-of-stub</html>' })
  const url = stub.environment.SOCIAL_LOGIN_URL
  const other = { web_api_url: url, auth_url: `${url}/`, api_key: { from_env: 'STUB_KEY' } }
  const { code, out } = await compare({ before: other, after: describeSite(first) }, [], { STUB_KEY: 'key-of-stub' })
  expect(code).toBe(10)
  expect(out).toContain('status: 404 → 200')
  const operations = stub.received.map(({ url: address = '' }) => address.split('?')[0])
  const known =
    /^\/(api\/(appinfo|providers|users|unknown_operation|user_attribute|profile_from_providers|authenticated_user)|oauth2\/(token|userinfo)|\.well-known\/openid-configuration)$/
  expect(operations.filter((path) => !known.test(path ?? ''))).toEqual([])
})

test('a request that a deployment limits is sent again after the time that it states', async () => {
  const limited = { status: 429, body: {}, headers: { 'retry-after': '0' } }
  await using stub = await startStubServer(limited, { status: 404, body: {} })
  const url = stub.environment.SOCIAL_LOGIN_URL
  const other = { web_api_url: url, auth_url: url, api_key: { from_env: 'STUB_KEY' } }
  const { out, err } = await compare({ before: other, after: describeSite(first) }, [], { STUB_KEY: 'key-of-stub' })
  expect(err).toBe('"before" limits requests. "discovery document" is sent again in 0 s.\n')
  expect(out).not.toContain('429')
  const [limitedUrl, repeatedUrl, nextUrl] = stub.received.map(({ url: address }) => address)
  expect([repeatedUrl, nextUrl]).toEqual([limitedUrl, expect.stringContaining('/api/appinfo')])
})

test.each([
  ['a missing variable', { api_key: { from_env: 'MISSING_KEY' } }, 'before.api_key: MISSING_KEY is not set'],
  ['a secret in the file', { api_key: 'sl_secret' }, 'must be { from_env: NAME } or { from_file: path }'],
  ['an address without TLS', { auth_url: 'http://login.example.com' }, 'would send secrets unencrypted'],
  ['an invalid address', { auth_url: 'login.example.com' }, 'must be an http or https address'],
])('exit code 2 for %s', async (_, changes, message) => {
  const ended = await compare({ before: { ...describeSite(first), ...changes }, after: describeSite(second) })
  expect(ended).toMatchObject({ code: 2, out: '', err: expect.stringContaining(message) })
})

test('exit code 6 if a deployment does not respond', async () => {
  const before = { ...describeSite(first), auth_url: 'http://127.0.0.1:1' }
  const ended = await compare({ before, after: describeSite(second) })
  expect(ended).toMatchObject({ code: 6, err: expect.stringContaining('"before" did not respond') })
})
