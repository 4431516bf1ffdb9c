import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { subscribeNotice } from '#bus'
import { identityContract as contract, type SiteRecord } from '#contracts'
import { hashSecret, isApiKey } from '#runtime'
import { faultMatching, type Harness, logger, newSlug, startIdentity } from './harness.ts'

let harness: Harness
beforeAll(async () => {
  harness = await startIdentity()
})
afterAll(() => harness[Symbol.asyncDispose]())

async function siteRecord(site: number): Promise<SiteRecord | undefined> {
  const { identity, call } = harness
  const { sites } = await identity.listSites({ after_revision: 0, limit: 1_000 }, call())
  return sites.find((record) => record.site === site)
}

async function keyHashes(site: number): Promise<string[] | undefined> {
  return (await siteRecord(site))?.keys.map(({ key_hash }) => key_hash)
}

test('registering a site is idempotent, even concurrently', async () => {
  const { identity, call } = harness
  const names = { account: 'shop', site_id: newSlug(), name: 'The shop' }
  const responses = await Promise.all(Array.from({ length: 8 }, () => identity.registerSite(names, call())))
  expect(responses.filter(({ created }) => created)).toHaveLength(1)
  expect(new Set(responses.map(({ site }) => site)).size).toBe(1)
  expect(await siteRecord(responses[0]?.site ?? 0)).toMatchObject({
    account: 'shop',
    site_id: names.site_id,
    requests_per_window: 10_000,
    allowed_addresses: [],
    fixed_address_option: false,
    keys: [],
  })
})

test('the same site_id under another account is another site', async () => {
  const { identity, call } = harness
  const siteId = newSlug()
  const [one, two] = await Promise.all([
    identity.registerSite({ account: 'one', site_id: siteId, name: 'One' }, call()),
    identity.registerSite({ account: 'two', site_id: siteId, name: 'Two' }, call()),
  ])
  expect(one.site).not.toBe(two.site)
})

test('a change of a site changes only the given settings', async () => {
  const { identity, call, newSite } = harness
  const site = await newSite()
  await identity.changeSite({ site, allowed_addresses: ['192.0.2.7', '2001:db8::/32'], requests_per_window: 5 }, call())
  await identity.changeSite({ site, fixed_address_option: true }, call())
  expect(await siteRecord(site)).toMatchObject({
    requests_per_window: 5,
    allowed_addresses: ['192.0.2.7', '2001:db8::/32'],
    fixed_address_option: true,
  })
  await identity.changeSite({ site, allowed_addresses: [] }, call())
  expect(await siteRecord(site)).toMatchObject({ allowed_addresses: [], requests_per_window: 5 })
})

test('entity_not_found when the site to change, to issue a key for or to revoke a key of does not exist', async () => {
  const { identity, call } = harness
  const site = 2_000_000_000
  await expect(identity.changeSite({ site }, call())).rejects.toMatchObject(faultMatching('entity_not_found'))
  await expect(identity.issueApiKey({ site, name: 'key' }, call())).rejects.toMatchObject(
    faultMatching('entity_not_found'),
  )
  await expect(identity.revokeApiKey({ site, api_key_id: randomUUID() }, call())).rejects.toMatchObject(
    faultMatching('entity_not_found'),
  )
})

test('a key is returned once, and only its hash is stored', async () => {
  const { identity, call, newSite, knex } = harness
  const site = await newSite()
  const { api_key } = await identity.issueApiKey({ site, name: 'first' }, call())
  expect(isApiKey(api_key)).toBe(true)
  expect(await keyHashes(site)).toEqual([hashSecret(api_key)])
  const [row] = await knex('api_keys').where({ site })
  expect(row).toMatchObject({ last_four: api_key.slice(-4), name: 'first' })
  expect(JSON.stringify(row)).not.toContain(api_key)
})

test('invalid_parameter for a third active key, even concurrently; revoking one allows another', async () => {
  const { identity, call, newSite } = harness
  const site = await newSite()
  const issue = () => identity.issueApiKey({ site, name: 'key' }, call())
  const outcomes = await Promise.allSettled(Array.from({ length: 6 }, issue))
  const issued = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
  const errors = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  expect(issued).toHaveLength(2)
  for (const reason of errors) expect(reason).toMatchObject(faultMatching('invalid_parameter'))

  await identity.revokeApiKey({ site, api_key_id: issued[0]?.api_key_id ?? '' }, call())
  const { api_key } = await issue()
  expect((await keyHashes(site))?.toSorted()).toEqual([issued[1]?.api_key ?? '', api_key].map(hashSecret).toSorted())
})

test('a revoked key is removed from listSites, and a notice with the revision arrives', async () => {
  const { identity, call, newSite, bus } = harness
  const site = await newSite()
  const { api_key_id } = await identity.issueApiKey({ site, name: 'key' }, call())
  const { revision: before } = await identity.listSites({ after_revision: 0, limit: 1 }, call())
  const notified = Promise.withResolvers<number>()
  using _listening = subscribeNotice(
    bus,
    contract,
    'sitesChanged',
    ({ revision }) => revision > before && notified.resolve(revision),
    logger,
  )
  await identity.revokeApiKey({ site, api_key_id }, call())
  expect(await notified.promise).toBeGreaterThan(before)
  const { sites } = await identity.listSites({ after_revision: before, limit: 1_000 }, call())
  expect(sites).toMatchObject([{ site, keys: [] }])
})

test('a key revoked twice stays revoked; entity_not_found for the key of another site', async () => {
  const { identity, call, newSite } = harness
  const [site, other] = await Promise.all([newSite(), newSite()])
  const { api_key_id } = await identity.issueApiKey({ site, name: 'key' }, call())
  await expect(identity.revokeApiKey({ site: other, api_key_id }, call())).rejects.toMatchObject(
    faultMatching('entity_not_found'),
  )
  expect(await keyHashes(site)).toHaveLength(1)
  await identity.revokeApiKey({ site, api_key_id }, call())
  await identity.revokeApiKey({ site, api_key_id }, call())
  expect(await keyHashes(site)).toEqual([])
})

test('reading changes by revision during concurrent changes misses none', async () => {
  const { identity, call, newSite } = harness
  const sites = await Promise.all(Array.from({ length: 5 }, newSite))
  const seen = new Map<number, SiteRecord>()
  let afterRevision = 0
  const readUsers = async () => {
    const { sites } = await identity.listSites({ after_revision: afterRevision, limit: 2 }, call())
    for (const record of sites) {
      expect(record.revision).toBeGreaterThan(afterRevision)
      afterRevision = record.revision
      seen.set(record.site, record)
    }
    return sites.length
  }
  let changing = true
  const changes = Promise.all(
    Array.from({ length: 40 }, (_, n) =>
      identity.changeSite({ site: sites[n % sites.length] ?? 0, requests_per_window: n + 1 }, call()),
    ),
  ).finally(() => {
    changing = false
  })
  while (changing) await readUsers()
  await changes
  while ((await readUsers()) > 0);
  for (const site of sites) expect(seen.get(site)).toEqual(await siteRecord(site))
})

test('the newest revision is published repeatedly, also by a replica without changes', async () => {
  const { identity, call, bus } = harness
  const { revision } = await identity.listSites({ after_revision: 0, limit: 1 }, call())
  const beats: number[] = []
  const twice = Promise.withResolvers<void>()
  using _listening = subscribeNotice(
    bus,
    contract,
    'sitesChanged',
    (notice) => {
      beats.push(notice.revision)
      if (beats.length === 2) twice.resolve()
    },
    logger,
  )
  await twice.promise
  expect(beats).toEqual([revision, revision])
})
