import { afterAll, beforeAll, expect, test } from 'vitest'
import { faultMatching, newSlug, openIdentity, type SharedHarness } from './harness.ts'

let harness: SharedHarness
beforeAll(async () => {
  harness = await openIdentity()
})
afterAll(() => harness[Symbol.asyncDispose]())

const newAccount = async () => {
  const account = newSlug()
  return harness.identity.createAccount({ account, name: 'A customer' }, harness.call())
}

test('an account is created once, listed, and renamed with its current revision', async () => {
  const { identity, call } = harness
  const { account, revision } = await newAccount()
  await expect(identity.createAccount({ account, name: 'Other' }, call())).rejects.toMatchObject(
    faultMatching('already_exists'),
  )
  const renamed = await identity.changeAccount({ account, name: 'Renamed', expected_revision: revision }, call())
  expect(renamed).toMatchObject({ account, name: 'Renamed', revision: revision + 1 })
  await expect(
    identity.changeAccount({ account, name: 'Late', expected_revision: revision }, call()),
  ).rejects.toMatchObject(faultMatching('changed_meanwhile'))
  expect((await identity.listAccounts({}, call())).accounts).toContainEqual(renamed)
})

test('entity_not_found for an unknown account: to rename it, to list its sites, to create a site in it', async () => {
  const { identity, call } = harness
  const account = newSlug()
  const missing = faultMatching('entity_not_found')
  await expect(identity.changeAccount({ account, name: 'N', expected_revision: 1 }, call())).rejects.toMatchObject(
    missing,
  )
  await expect(identity.listSitesOfAccount({ account }, call())).rejects.toMatchObject(missing)
  const site = { account, site_id: 'shop', name: 'Shop', kind: 'production' as const }
  await expect(identity.createSite(site, call())).rejects.toMatchObject(missing)
  await expect(identity.readSite({ account, site_id: 'shop' }, call())).rejects.toMatchObject(missing)
})

test('a site is created once, with the given settings and defaults for the rest', async () => {
  const { identity, call } = harness
  const { account } = await newAccount()
  const given = {
    account,
    site_id: 'shop',
    name: 'The shop',
    kind: 'development' as const,
    domains: ['shop.example.com'],
    allowed_addresses: ['2001:DB8::/32'],
  }
  const created = await identity.createSite(given, call())
  expect(created).toMatchObject({
    ...given,
    allowed_addresses: ['2001:db8::/32'],
    requests_per_window: 10_000,
    fixed_address_option: false,
    profile_not_stored: {},
    compatibility: [],
    login_history_days: null,
    start_url: null,
    profile_in_events: false,
    users_may_be_stale: false,
    revision: 1,
  })
  await expect(identity.createSite(given, call())).rejects.toMatchObject(faultMatching('already_exists'))
  expect(await identity.readSite({ account, site_id: 'shop' }, call())).toEqual(created)
  expect(await identity.listSitesOfAccount({ account }, call())).toEqual({ sites: [created] })
})

test('registering a site creates its account', async () => {
  const { identity, call } = harness
  const account = newSlug()
  await identity.registerSite({ account, site_id: 'shop', name: 'Shop' }, call())
  expect((await identity.listAccounts({}, call())).accounts).toContainEqual(
    expect.objectContaining({ account, name: account, revision: 1 }),
  )
})

test('of two concurrent changes of one revision, one succeeds and the other gets changed_meanwhile without effect', async () => {
  const { identity, call } = harness
  const { account } = await newAccount()
  const { site, revision } = await identity.createSite(
    { account, site_id: 'shop', name: 'Shop', kind: 'production' },
    call(),
  )
  const changes = Array.from({ length: 6 }, (_, n) => ({ name: `Shop ${n}`, requests_per_window: n + 1 }))
  const outcomes = await Promise.allSettled(
    changes.map((change) => identity.changeSite({ site, expected_revision: revision, ...change }, call())),
  )
  const errors = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  expect(errors).toHaveLength(5)
  for (const reason of errors) expect(reason).toMatchObject(faultMatching('changed_meanwhile'))
  const won = changes[outcomes.findIndex(({ status }) => status === 'fulfilled')]
  expect(await identity.readSite({ account, site_id: 'shop' }, call())).toMatchObject({
    ...won,
    revision: revision + 1,
  })
})

test('issuing or revoking a key does not change the revision of the settings', async () => {
  const { identity, call } = harness
  const { account } = await newAccount()
  const { site, revision } = await identity.createSite(
    { account, site_id: 'shop', name: 'Shop', kind: 'production' },
    call(),
  )
  const { api_key_id } = await identity.issueApiKey({ site, name: 'first' }, call())
  await identity.revokeApiKey({ site, api_key_id }, call())
  const changed = await identity.changeSite({ site, expected_revision: revision, name: 'Renamed' }, call())
  expect(changed).toMatchObject({ name: 'Renamed', revision: revision + 1 })
})

test('keys are listed newest first, including revoked ones, without their secrets', async () => {
  const { identity, call, newSite } = harness
  const site = await newSite()
  const first = await identity.issueApiKey({ site, name: 'first' }, call())
  const second = await identity.issueApiKey({ site, name: 'second' }, call())
  await identity.revokeApiKey({ site, api_key_id: first.api_key_id }, call())
  const listed = await identity.listApiKeys({ site }, call())
  expect(listed.keys).toMatchObject([
    { api_key_id: second.api_key_id, name: 'second', last_four: second.api_key.slice(-4), revoked_at: null },
    { api_key_id: first.api_key_id, name: 'first', revoked_at: expect.any(String) },
  ])
  expect(JSON.stringify(listed)).not.toContain(second.api_key)
})
