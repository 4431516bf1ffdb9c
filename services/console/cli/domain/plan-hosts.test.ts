import { expect, test } from 'vitest'
import { actual, createdAt, hosts, planFor } from '../test/plan-fixture.ts'
import type { Actual, ActualSite } from './actual.ts'

const login: ActualSite['hosts']['hosts'][number] = {
  host: 'login.shop.example',
  purpose: 'login',
  state: 'active',
  txt_name: '_proof.login.shop.example',
  txt_value: 'proof',
  file_url: 'http://login.shop.example/proof',
  target: 'auth.example.com',
  problems: [],
  checked_at: createdAt,
  failing_since: null,
  created_at: createdAt,
}
const claim = { ...login, state: 'claimed' as const }

function withHosts(some: readonly (typeof login)[], settings: Partial<ActualSite['hosts']> = {}): Actual {
  return actual({ hosts: { ...hosts, hosts: [...some], ...settings } })
}

const loginName = { 'login.shop.example': {} }
const site = { account: 'demo', site_id: 'shop' }

test('hosts stay unchanged without the section, also with prune', () => {
  expect(planFor({}, withHosts([claim]), { prune: true })).toMatchObject({ steps: [], notes: [] })
})

test('an active host with the same purpose needs no step and no note', () => {
  expect(planFor({ hosts: loginName }, withHosts([login]))).toMatchObject({ steps: [], notes: [] })
  expect(planFor({ hosts: { 'Login.Shop.Example.': { purpose: 'login' } } }, withHosts([login])).steps).toEqual([])
})

test('a missing host is claimed, and a note says that it must be proven', () => {
  const { steps, notes } = planFor({ hosts: { ...loginName, 'api.shop.example': { purpose: 'api' } } })
  expect(steps).toMatchObject([
    { procedure: 'addHost', kind: 'create', subject: 'host demo/shop/login.shop.example' },
    { procedure: 'addHost', path: 'accounts.demo.sites.shop.hosts.api.shop.example' },
  ])
  expect(steps.map(({ input }) => input)).toEqual([
    { ...site, host: 'login.shop.example', purpose: 'login' },
    { ...site, host: 'api.shop.example', purpose: 'api' },
  ])
  expect(notes).toEqual([
    'host demo/shop/login.shop.example is not active until it is proven. "social-login hosts list" shows how to prove it.',
    'host demo/shop/api.shop.example is not active until it is proven. "social-login hosts list" shows how to prove it.',
  ])
})

test.each(['claimed', 'suspended'] as const)('a note mentions a host that is %s', (state) => {
  const { steps, notes } = planFor({ hosts: loginName }, withHosts([{ ...login, state }]))
  expect(steps).toEqual([])
  expect(notes).toEqual([expect.stringContaining('login.shop.example is not active')])
})

test('a host that is not in the file is removed only with prune', () => {
  const { steps, notes } = planFor({ hosts: {} }, withHosts([claim]))
  expect({ steps, notes }).toEqual({
    steps: [],
    notes: ['host demo/shop/login.shop.example is not in the files; --prune removes it.'],
  })
  const pruning = planFor({ hosts: {} }, withHosts([claim]), { prune: true })
  expect(pruning).toMatchObject({
    steps: [{ procedure: 'removeHost', kind: 'remove', input: { ...site, host: 'login.shop.example' } }],
    notes: [],
  })
})

test('a host with another purpose must be removed first', () => {
  expect(() => planFor({ hosts: { 'login.shop.example': { purpose: 'api' } } }, withHosts([login]))).toThrow(
    'accounts.demo.sites.shop.hosts.login.shop.example.purpose: the purpose of the host is login, which cannot be changed. Remove the host first',
  )
})

test('the shared host is changed with its revision, after hosts are added', () => {
  const file = { hosts: { ...loginName, 'api.shop.example': { purpose: 'api' } }, shared_host: false }
  const { steps } = planFor(file, withHosts([login]))
  expect(steps).toMatchObject([
    { procedure: 'addHost' },
    {
      procedure: 'changeSharedHost',
      kind: 'change',
      input: { ...site, shared_host: false },
      revision: 6,
      changes: [{ field: 'shared_host', before: true, after: false }],
    },
  ])
  expect(planFor({ shared_host: true }, withHosts([], { shared_host: false })).steps).toMatchObject([
    { procedure: 'changeSharedHost', input: { shared_host: true } },
  ])
})

test.each([
  ['the same as in the file', { shared_host: true }, withHosts([])],
  ['off and not in the file', {}, withHosts([], { shared_host: false })],
])('the shared host needs no step if it is %s', (_what, file, there) => {
  expect(planFor(file, there)).toMatchObject({ steps: [], notes: [] })
})

test.each([
  ['is only claimed', withHosts([claim]), {}],
  ['is for the Web API', withHosts([{ ...login, purpose: 'api' }]), {}],
  ['is removed by the same plan', withHosts([login]), { prune: true }],
])('the shared host stays on if the only other host %s', (_what, there, options) => {
  const { steps, notes } = planFor({ hosts: {}, shared_host: false }, there, options)
  expect(steps.filter(({ procedure }) => procedure === 'changeSharedHost')).toEqual([])
  expect(notes).toContain(
    'shared host demo/shop stays on: a login host of the site must be proven first. "social-login hosts list" shows how; then apply again.',
  )
})

test('the host that the installation gives the site replaces the shared host', () => {
  const { steps } = planFor({ shared_host: false }, withHosts([], { pattern_host: 'shop.login.example' }))
  expect(steps).toMatchObject([{ procedure: 'changeSharedHost' }])
})

test('a new site keeps the shared host until one of its hosts is proven', () => {
  const file = { name: 'Shop', kind: 'production', hosts: loginName, shared_host: false }
  const { steps, notes } = planFor(file, new Map())
  expect(steps.map(({ procedure }) => procedure)).toEqual(['createAccount', 'createSite', 'addHost'])
  expect(notes).toHaveLength(2)
})
