import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AdminProcedure, adminApi, type Role, roles } from '#admin-api'
import { type AdminClient, getFault, type Harness, startConsole } from './harness.ts'

let harness: Harness
const callers = new Map<string, AdminClient>()
/** Operators whose sessions were confirmed less and more than five minutes ago. */
let confirmed: AdminClient
let unconfirmed: AdminClient
beforeAll(async () => {
  harness = await startConsole()
  const {
    createMemberClient: signedIn,
    createTokenClient: tokenOf,
    createOperatorTokenClient: operatorToken,
    anonymous,
    clock,
  } = harness
  unconfirmed = await signedIn({ operator: true })
  clock.pass(2)
  confirmed = await signedIn({ operator: true })
  clock.pass(299)
  for (const role of roles) {
    callers.set(`${role}, signed in`, await signedIn({ roles: { shop: role } }))
    callers.set(`${role}, by token`, await tokenOf('shop', role))
    callers.set(`${role} of the site`, await signedIn({ site_roles: { shop: { shop: role } } }))
  }
  callers.set('owner of another account', await signedIn({ roles: { other: 'owner' } }))
  callers.set('owner of another site', await signedIn({ site_roles: { shop: { blog: 'owner' } } }))
  callers.set('operator', await signedIn({ operator: true }))
  callers.set('operator, by token', await operatorToken())
  callers.set('anonymous', anonymous)
})
afterAll(() => harness[Symbol.asyncDispose]())

const values: Readonly<Record<string, string>> = { account: 'shop', site_id: 'shop', provider: 'messaging' }

/** A request for the procedure with names of resources that do not exist. */
function request({ path, method }: AdminProcedure) {
  const filled = path.replaceAll(
    /\{(\w+)\}/g,
    (_, name: string) => values[name] ?? '00000000-0000-4000-8000-000000000000',
  )
  return { method, path: `/admin/v1${filled}` }
}

const accessFaults = ['not_signed_in', 'not_allowed', 'passkey_required']

/** The roles that can call a procedure, by its required role. */
function allowed({ role, path, limitedToSites }: AdminProcedure): string[] {
  if (role === 'member') return [...callers.keys()].filter((name) => name !== 'anonymous')
  const operators = ['operator', 'operator, by token']
  if (role === 'operator') return operators
  const enough = roles.slice(roles.indexOf(role)).flatMap((name: Role) => [`${name}, signed in`, `${name}, by token`])
  const inSites = roles.slice(roles.indexOf(role)).map((name) => `${name} of the site`)
  if (limitedToSites === true) return [...operators, ...enough, ...inSites, 'owner of another site']
  return path.includes('{site_id}') ? [...operators, ...enough, ...inSites] : [...operators, ...enough]
}

const membersOnly = new Set(['endSession', 'removePasskey', 'readMyUserColumns'])

// Concurrent, because calls to services that are not running are repeated for most of a second.
describe.concurrent.each(Object.entries<AdminProcedure>(adminApi))('%s', (name, procedure) => {
  test(`requires the role ${procedure.role} in the account`, async () => {
    const { method, path } = request(procedure)
    const may = allowed(procedure).filter((caller) => !membersOnly.has(name) || !caller.endsWith('by token'))
    const check = async (caller: string, send: AdminClient['send']) => {
      const response = await send(method, path)
      const fault = getFault(response) ?? ''
      if (may.includes(caller)) expect(accessFaults, `${caller}: ${fault}`).not.toContain(fault)
      else if (caller === 'anonymous') expect(response.status, caller).toBe(401)
      // Procedures of operators say nothing about names: they are rejected before.
      else if (procedure.role === 'operator') expect([response.status, fault], caller).toEqual([403, 'not_allowed'])
      else if (caller === 'owner of another account') {
        expect([response.status, fault], caller).toEqual([404, 'not_found'])
      } else if (caller === 'owner of another site' && procedure.path.includes('{site_id}')) {
        expect([response.status, fault], caller).toEqual([404, 'not_found'])
      } else expect([response.status, fault], caller).toEqual([403, 'not_allowed'])
      expect(response.headers.get('cache-control')).toBe('no-store')
    }
    // Requests that are allowed wait for services that do not run.
    await Promise.all(
      [...callers].map(([caller, { send }]) => (may.includes(caller) ? check(caller, send) : undefined)),
    )
    // The others wait for nothing. Sent at once as well, they would exceed the time of a request on a slow machine.
    for (const [caller, { send }] of callers) if (!may.includes(caller)) await check(caller, send)
  })
})

const sensitive = Object.entries<AdminProcedure>(adminApi).filter(([, procedure]) => procedure.sensitive === true)

test.concurrent.each(sensitive)(
  '%s requires the passkey again in a session that was not confirmed in the last five minutes, but not with a token',
  async (_, procedure) => {
    const { method, path } = request(procedure)
    expect(getFault(await confirmed.send(method, path))).not.toBe('passkey_required')
    const response = await unconfirmed.send(method, path)
    expect([response.status, getFault(response)]).toEqual([403, 'passkey_required'])
    const token = await harness.createOperatorTokenClient()
    expect(getFault(await token.send(method, path))).not.toBe('passkey_required')
  },
)

describe('cross-site requests are rejected (ASVS 4.2.2)', () => {
  const changes = Object.entries<AdminProcedure>(adminApi).filter(([, { method }]) => method !== 'GET')
  test.each(changes)('%s', async (_, procedure) => {
    const { cookie } = await harness.createMemberClient({ operator: true })
    const { method, path } = request(procedure)
    const send = (headers: Record<string, string>) =>
      harness.anonymous.send(method, path, { headers: { cookie, ...headers } })
    const attempts = [
      {},
      { origin: harness.url },
      { 'x-console': '1' },
      { 'x-console': '1', origin: 'https://evil.example' },
      { 'x-console': '1', origin: 'null' },
      { 'x-console': '1', origin: `${harness.url}.evil.example` },
    ]
    for (const headers of attempts) {
      const response = await send(headers)
      expect([response.status, getFault(response)], JSON.stringify(headers)).toEqual([403, 'not_allowed'])
    }
  })
})

test('members without a passkey make sensitive changes without a confirmation only on a development machine', async () => {
  await using development = await startConsole({ environment: { NODE_ENV: 'development' } })
  const owner = await development.createMemberClient({ roles: { shop: 'owner' } })
  development.clock.pass(600)
  const send = () => owner.send('POST', '/admin/v1/accounts/shop/tokens', { body: { name: 'CI', role: 'viewer' } })
  expect((await send()).status).toBe(200)
  await development.knex('passkeys').insert({
    passkey_id: 'AAAA',
    member_id: owner.member_id,
    name: 'key',
    public_key: Buffer.from('x'),
    counter: 0,
    transports: [],
    created_at: development.clock.now,
  })
  expect(getFault(await send())).toBe('passkey_required')
})
