import { randomBytes } from 'node:crypto'
import type { Knex } from 'knex'
import { request } from 'undici'
import { beforeAll, expect, test as vitestTest } from 'vitest'
import { z } from 'zod'
import { isCitus, openForTest, type SeededSite, seedSite, startDnsServer, waitFor } from '#testing'
import { buildAuthorizeUrl, logInWith } from '../../provider-auth/test/browser.ts'
import { issuerAt, proveHost } from '../../provider-auth/test/host-fixture.ts'
import { newAccount, startManaged } from './managed.ts'
import { findRemains, skipPauses } from './site-deletion-harness.ts'
import {
  findServing,
  issueMoveToken,
  listAllEvents,
  listWritable,
  type ManagedCell,
  pathOfMove,
  readUserData,
  requestApi,
  startMove,
} from './site-move-harness.ts'

/** Citus has no triggers, which freeze a site (`freezeSite`). */
const test = vitestTest.skipIf(isCitus)

const unknownToken = `slt_${'a'.repeat(43)}`

const Discovery = z.object({ issuer: z.string().optional() })
const AuditEntries = z.object({
  entries: z.array(z.object({ action: z.string(), actor: z.string(), after: z.unknown() })),
})

/** Two cells with key rings of their own, which look for proofs of hosts in one DNS. */
async function startCells() {
  const dns = await startDnsServer()
  const resolver = { HOST_PROOF_DNS_SERVERS: dns.address }
  const otherRing = { ENCRYPTION_KEYS: `other:${randomBytes(32).toString('base64')}` }
  const [source, target] = await Promise.all([
    startManaged({ providerAuthEnvironment: resolver }),
    startManaged({ providerAuthEnvironment: { ...resolver, ...otherRing }, profileEnvironment: otherRing }),
  ])
  const { identity, call } = target.serviceStack
  // So that the site has another number in the other cell.
  for (const name of ['a', 'b', 'c']) await identity.registerSite({ account: 'other', site_id: name, name }, call())
  return {
    dns,
    source,
    target,
    end: () => Promise.all([source, target, dns].map((one) => one[Symbol.asyncDispose]())),
  }
}

// Filled before the first test.
const cells = {} as Omit<Awaited<ReturnType<typeof startCells>>, 'end'>

beforeAll(async () => {
  const { end, ...started } = await startCells()
  Object.assign(cells, started)
  return () => end().then(() => {})
})

/** A site with users who logged in, a mapping of each, metadata and an endpoint. */
async function fillSite({ serviceStack }: ManagedCell): Promise<SeededSite> {
  const { identity, events, call } = serviceStack
  const site = await seedSite(serviceStack, { account: newAccount() })
  for (const user of ['Hanako Yamada', 'Taro Sato', 'Jiro Suzuki'])
    await logInWith(site, user === 'Taro Sato' ? 'messaging' : 'search', { user })
  const { identifiers } = await identity.listUsers({ site: site.site, limit: 10 }, call())
  expect(identifiers).toHaveLength(3)
  for (const [place, identifier] of identifiers.entries()) {
    await identity.mapPrimaryKey(
      { site: site.site, identifier, primary_key: `user-${place}`, overwrite: false },
      call(),
    )
    const metadata = { user_metadata: { color: 'red', place }, replace: true }
    await identity.changeMetadata({ site: site.site, identifier, ...metadata }, call())
  }
  await events.createEndpoint(
    {
      site: site.site,
      account: site.account,
      site_id: site.site_id,
      name: 'shop',
      url: 'http://127.0.0.1:9/hook',
      types: ['user.deleted'],
      signature: 'v1',
      ordered: false,
      enabled: true,
    },
    call(),
  )
  return site
}

/** The issuer of a cell for requests that name a host, or the status of a rejection. */
async function readIssuer({ serviceStack }: ManagedCell, host: string): Promise<string | number> {
  const { statusCode, body } = await request(`${serviceStack.auth}/.well-known/openid-configuration`, {
    headers: { host },
  })
  return Discovery.parse(await body.json()).issuer ?? statusCode
}

/** What the audit trail of a cell has about a site, newest first. */
async function listReceived({ operator }: ManagedCell, { account, site_id }: SeededSite): Promise<unknown[]> {
  const { body } = await operator('GET', `/accounts/${account}/audit?site_id=${site_id}`)
  const { entries } = AuditEntries.parse(body)
  return entries
}

/** Creates, maps again and deletes users until stopped, and records what was accepted. */
function startChanging(cell: ManagedCell, site: SeededSite, identifiers: readonly string[]) {
  const stop = new AbortController()
  const created = new Set<string>()
  const rejections = new Set<string>()
  const owners = new Map<string, string>()
  const change = async () => {
    for (let count = 0; !stop.signal.aborted; count++) {
      const key = `new-${count}`
      const creating = await requestApi(cell, site, 'create_user', { primary_key: key })
      if (creating.status === 200) created.add(key)
      else rejections.add(`${creating.status} ${creating.retry_after === null ? 'without' : 'with'} Retry-After`)
      const owner = identifiers[count % identifiers.length] ?? ''
      const mapping = { identifier: owner, primary_key: 'wandering', overwrite: 'y' }
      for (const other of identifiers) {
        if (other !== owner && owners.get('wandering') === other) {
          const unmapped = await requestApi(cell, site, 'unmap', { identifier: other })
          if (unmapped.status === 200) owners.delete('wandering')
        }
      }
      if (!owners.has('wandering')) {
        const mapped = await requestApi(cell, site, 'map', mapping)
        if (mapped.status === 200) owners.set('wandering', owner)
      }
    }
  }
  const changing = change()
  return {
    created,
    rejections,
    owners,
    async stop() {
      stop.abort()
      await changing
    },
  }
}

test('a site moves with everything that was accepted meanwhile, and goes back with what changed there', async () => {
  const { dns, source, target } = cells
  const site = await fillSite(source)
  const host = `${site.account}.localhost`
  await proveHost(source.serviceStack, dns, site, host)
  const { identity, call } = source.serviceStack
  const { identifiers } = await identity.listUsers({ site: site.site, limit: 10 }, call())

  const changes = startChanging(source, site, identifiers.slice(0, 2))
  await waitFor(() => expect(changes.created.size).toBeGreaterThan(20))
  const move = await startMove(source, target, site)
  await move.waitFor('forwarding')
  await changes.stop()
  expect(changes.created.size).toBeGreaterThan(20)
  expect([...changes.rejections].filter((rejection) => !rejection.startsWith('503 with'))).toEqual([])

  const { site: number } = await findServing(target, site)
  expect(number).not.toBe(site.site)
  const all = await identity.listUsers({ site: site.site, limit: 100 }, call())
  expect(await readUserData(target, number, all.identifiers)).toEqual(
    await readUserData(source, site.site, all.identifiers),
  )
  for (const key of changes.created) {
    const { users } = await target.serviceStack.identity.findUsers({ site: number, id: key }, call())
    expect(users, key).toHaveLength(1)
  }
  const there = await target.serviceStack.identity.listUsers({ site: number, limit: 100 }, call())
  expect(there.total).toBe(all.total)
  // Events that were not in the stream yet arrive in the other cell only.
  const recorded = await listAllEvents(source, site.site)
  expect((await listAllEvents(target, number)).slice(0, recorded.length)).toEqual(recorded)
  await expect
    .poll(async () => (await listAllEvents(target, number)).map(({ user }) => user.primary_key))
    .toEqual(expect.arrayContaining([...changes.created]))
  expect(await listWritable([source, target], site)).toEqual(
    ['identity', 'provider_auth', 'profile', 'friendship', 'events'].map((name) => `${name} 1`),
  )

  const issuers = () => Promise.all([source, target].map((cell) => readIssuer(cell, host)))
  expect(await issuers()).toEqual([421, issuerAt(target.serviceStack, host)])
  // Both addresses lead to the cell that serves the site.
  const forwarded = () => requestApi(source, site, 'create_user', { primary_key: 'forwarded' })
  await expect.poll(async () => (await forwarded()).status).toBe(200)
  expect((await requestApi(target, site, 'create_user', { primary_key: 'created-there' })).status).toBe(200)
  for (const name of ['forwarded', 'created-there'])
    expect((await target.serviceStack.identity.findUsers({ site: number, id: name }, call())).users).toHaveLength(1)
  const login = await fetch(buildAuthorizeUrl(site, 'search'), { redirect: 'manual' })
  expect(login.status).toBe(400)
  expect(await move.act('roll-back')).toBe(200)
  await move.waitFor('rolled_back')
  expect(await issuers()).toEqual([issuerAt(source.serviceStack, host), 421])
  expect(await listWritable([source, target], site)).toEqual(
    ['identity', 'provider_auth', 'profile', 'friendship', 'events'].map((name) => `${name} 0`),
  )
  expect(await listReceived(target, site)).toEqual([
    { action: 'returnReceivedSite', actor: 'move', after: expect.objectContaining({ by: 'Otto' }) },
    { action: 'openReceivedSite', actor: 'move', after: expect.objectContaining({ by: 'Otto' }) },
    {
      action: 'receiveSite',
      actor: 'move',
      after: { by: 'Otto', move_id: expect.any(String), source_url: source.serviceStack.console.url },
    },
  ])
  const { users } = await identity.findUsers({ site: site.site, id: 'created-there' }, call())
  expect(users).toHaveLength(1)
  await expect
    .poll(async () => (await requestApi(source, site, 'create_user', { primary_key: 'back-again' })).status)
    .toBe(200)
  await logInWith(site, 'search', { user: 'Hanako Yamada' })
})

test('a committed move deletes the site in its first cell only', async () => {
  const { source, target } = cells
  const site = await fillSite(source)
  const move = await startMove(source, target, site)
  expect(await move.act('commit')).toBe(409)
  await move.waitFor('forwarding')
  expect(await move.act('commit')).toBe(200)
  await move.waitFor('committed')
  expect(await move.act('roll-back')).toBe(409)
  await expect
    .poll(async () => {
      await skipPauses(source, site)
      return findRemains(source, site.site)
    })
    .toEqual([])
  await expect.poll(async () => (await requestApi(source, site, 'users')).status).toBe(401)
  expect(await requestApi(target, site, 'users')).toMatchObject({ status: 200, body: { total: 3 } })
})

test('a canceled move leaves the site as it was', async () => {
  const { source, target } = cells
  const site = await fillSite(source)
  const move = await startMove(source, target, site)
  expect(await move.act('roll-back')).toBe(200)
  await move.waitFor('canceled')
  expect((await requestApi(source, site, 'create_user', { primary_key: 'later' })).status).toBe(200)
  expect((await requestApi(target, site, 'users')).status).toBe(401)
  // A second move continues with what the first has copied.
  const second = await startMove(source, target, site)
  await second.waitFor('forwarding')
  expect(await requestApi(target, site, 'users')).toMatchObject({ status: 200, body: { total: 4 } })
})

test('a move whose token was revoked says so, and continues with another one', async () => {
  const { source, target } = cells
  const site = await fillSite(source)
  const path = pathOfMove(site)
  const replaceToken = (targetToken: string) => source.operator('PUT', `${path}/token`, { target_token: targetToken })
  expect(await replaceToken(unknownToken)).toMatchObject({ status: 404 })
  const move = await startMove(source, target, site)
  await move.waitFor('forwarding')
  await target.knex('tokens').delete()
  expect(await move.act('roll-back')).toBe(200)
  await expect
    .poll(async () => (await source.operator('GET', path)).body)
    .toMatchObject({ move: { state: 'copying', direction: 'back', error_reason: 'move_token_rejected' } })
  // As a replica of an earlier build stores it.
  await source.knex('site_moves').where({ account: site.account }).update({ error: 'The step failed.' })
  expect((await source.operator('GET', path)).status).toBe(200)
  expect(await replaceToken(unknownToken)).toMatchObject({
    status: 400,
    body: { error: { field: 'target_token', reason: 'move_token_not_accepted' } },
  })
  expect(await replaceToken(await issueMoveToken(target))).toMatchObject({ status: 200 })
  expect(await move.waitFor('rolled_back')).toMatchObject({ move: { error: null, error_reason: null } })
  expect(await replaceToken(await issueMoveToken(target))).toMatchObject({
    status: 409,
    body: { error: { reason: 'move_ended' } },
  })
})

test('a site with many users moves in parts, and what changed in some of them is sent again', async () => {
  const { source, target } = cells
  const { database_urls } = source.serviceStack
  const site = await seedSite(source.serviceStack, { account: newAccount() })
  await using here = openForTest(database_urls.identity)
  await here.knex.raw(
    `insert into users (site, identifier, primary_key, mapped_at, created_at, imported_registration)
     select ?, lpad(n::text, 40, '0'), 'key-' || n, now(), now(), extract(epoch from now())::bigint + 1 from generate_series(1, 1700) n`,
    [site.site],
  )
  const users = (knex: Knex, number: number) =>
    knex('users').where({ site: number }).orderBy('identifier').select('identifier', 'primary_key', 'created_at')

  const first = await startMove(source, target, site)
  await first.waitFor('forwarding')
  const there = (await findServing(target, site)).site
  await using other = openForTest(target.serviceStack.database_urls.identity)
  expect(await users(other.knex, there)).toEqual(await users(here.knex, site.site))

  // Values change places between ranges, which the way back has to release.
  const nameOf = (n: number) => String(n).padStart(40, '0')
  await other
    .knex('users')
    .where({ site: there, identifier: nameOf(1_650) })
    .delete()
  await other
    .knex('users')
    .where({ site: there, identifier: nameOf(3) })
    .update({ primary_key: 'key-1650' })
  await other
    .knex('users')
    .where({ site: there, identifier: nameOf(900) })
    .update({ primary_key: 'key-3' })
  await first.act('roll-back')
  await first.waitFor('rolled_back')
  const returned = await users(here.knex, site.site)
  expect(returned).toHaveLength(1_699)
  expect(returned).toEqual(await users(other.knex, there))
})
