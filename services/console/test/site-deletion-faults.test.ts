import { expect, test } from 'vitest'
import { isCitus, openForTest, waitFor } from '#testing'
import {
  createMember,
  findRemains,
  requestBy,
  seed,
  skipPauses,
  stateOf,
  useManaged,
  waitForDeletion,
} from './site-deletion-harness.ts'

const stage = useManaged()

/** A row of the site in a table of each service, whose deletion fails at first. */
const rows = {
  provider_auth: ['host_uses', "(site, client_id, host, last_used_on) values (?, 'c', '', now())"],
  identity: ['users', "(site, identifier, created_at) values (?, '65000000aaaaaaaaaaaaaaaa', to_timestamp(0))"],
  profile: ['event_settings', '(site, revision, profile_in_events) values (?, 1, true)'],
  friendship: ['statuses', 'values (?, gen_random_uuid(), true, now())'],
  events: ['sites', '(site) values (?)'],
  console: ['login_logs', '(site, position, reported_at) values (?, 1, now())'],
} as const

// Citus has no triggers, with which this test makes a service fail.
test.skipIf(isCitus)('a deletion continues where a service failed, and counts each row once', async () => {
  const { managed } = stage
  const { serviceStack } = managed
  const site = await seed(managed)
  const urls = { ...serviceStack.database_urls, console: serviceStack.console.database_url }
  await using stack = new AsyncDisposableStack()
  const services = Object.entries(rows).map(([name, [table, values]]) => {
    const { knex } = stack.use(openForTest(Reflect.get(urls, name)))
    return { name, table, values, knex }
  })
  for (const { knex, table, values } of services) {
    await knex.raw(`insert into ${table} ${values}`, [site.site])
    // A sequence counts failures, because it is not rolled back.
    await knex.raw(`create sequence failures_${site.site}`)
    await knex.raw(`create function fail_${site.site}() returns trigger language plpgsql as $$
      begin perform nextval('failures_${site.site}'); raise exception 'the disk is full'; end $$`)
    await knex.raw(`create trigger fail_${site.site} before delete on ${table} for each row
      when (old.site = ${site.site}) execute function fail_${site.site}()`)
  }
  const first = await createMember(managed, site, 'owner')
  const second = await createMember(managed, site, 'owner')
  await requestBy(first.send, site)
  expect(stateOf(await second.send('POST', '/approve'))).toBe('approved')
  for (const { name, knex } of services) {
    await waitFor(
      async () => {
        await skipPauses(managed, site)
        const { read } = await first.send('GET')
        expect(read).toMatchObject({ deletion: { state: 'deleting', service: name } })
        const { rows } = await knex.raw<{ rows: object[] }>(`select is_called from failures_${site.site}`)
        expect(rows).toEqual([{ is_called: true }])
      },
      { interval: 200 },
    )
    await knex.raw(`drop function fail_${site.site} cascade`)
    await knex.raw(`drop sequence failures_${site.site}`)
  }
  const read = await waitForDeletion(managed, site, first.send)
  expect(read).toMatchObject({
    deletion: {
      deleted: Object.fromEntries(services.map(({ name, table }) => [name, { [table]: 1 }])),
    },
  })
  expect(await findRemains(managed, site.site)).toEqual([])
})

test('data that arrives after the deletion is discarded, and a late login is rejected', async () => {
  const { managed } = stage
  const { profile, friendship, identity, call } = managed.serviceStack
  const site = await seed(managed)
  const first = await createMember(managed, site, 'owner')
  const second = await createMember(managed, site, 'owner')
  await requestBy(first.send, site)
  await second.send('POST', '/approve')
  await waitForDeletion(managed, site, first.send)
  const late = { site: site.site, link_id: crypto.randomUUID(), obtained_at: new Date().toISOString() }
  await friendship.recordStatus({ ...late, friendship_status: true }, call())
  await profile.recordProviderData(
    {
      ...late,
      identifier: '65000000aaaaaaaaaaaaaaaa',
      provider: 'search',
      data: { profile: {}, follow: null, email: [], phone: [] },
    },
    call(),
  )
  const login = {
    site: site.site,
    login: crypto.randomUUID(),
    provider: 'search',
    provider_user_id: 'p1',
    create_user: true,
  } as const
  await expect(identity.recordLogin(login, call())).rejects.toMatchObject({ fault: 'entity_not_found' })
  // The rejection of a command is stored until the command can no longer be repeated.
  expect(await findRemains(managed, site.site)).toEqual(['commands'])
})
