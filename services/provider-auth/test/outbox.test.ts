import { afterAll, expect, test } from 'vitest'
import { openForTest, readLinkData, settled, startForTest } from '#testing'
import { readConfig } from '../../profile/config.ts'
import { service as profileService } from '../../profile/service.ts'
import { logInWith } from './browser.ts'
import { createOwnSiteFixture } from './site-fixture.ts'

const { serviceStack, site, application } = createOwnSiteFixture()
const stack = new AsyncDisposableStack()
afterAll(() => stack.disposeAsync())

async function readJobs(): Promise<{ task: string; payload: string }[]> {
  await using database = openForTest(serviceStack.database_urls.provider_auth)
  return await database.knex('jobs').select('task', database.knex.raw('payload::text'))
}

test('a login leaves no job when its messages were delivered', async () => {
  await logInWith(site, 'messaging')
  await expect.poll(readJobs).toEqual([])
})

test('a login completes while the profile service is not running, which gets the data when it runs again; the job is encrypted', async () => {
  await serviceStack.services.profile[0]?.stop()
  const callback = await logInWith(site, 'search', { user: 'Late Bird' })
  const identifier = await application.userOf(callback)
  const jobs = await readJobs()
  expect(jobs).toEqual([expect.objectContaining({ task: 'profile.recordProviderData' })])
  expect(jobs[0]?.payload).not.toMatch(new RegExp(`Late|Bird|example|${identifier}`))

  await using database = openForTest(serviceStack.database_urls.provider_auth)
  const { knex } = database
  await knex('jobs').update({ run_at: knex.fn.now() })
  const failures = async () => (await knex('jobs').where('attempts', '>', 0).whereNull('leased_until')).length
  await expect.poll(failures).toBe(1)
  await knex('jobs').update({ run_at: knex.raw(`now() + interval '1 hour'`) })

  const environment = {
    DATABASE_URL: serviceStack.database_urls.profile,
    NATS_URL: serviceStack.nats.url,
    ENCRYPTION_KEYS: serviceStack.encryption_keys,
  }
  const { stop } = await startForTest('profile', { readConfig, service: profileService }, environment)
  stack.defer(stop)
  const readName = async () => {
    const input = { site: site.site, identifier }
    return (await serviceStack.profile.readProfile(input, serviceStack.call())).profile.full_name
  }
  await expect.poll(readName).toBe('Late Bird')
  await expect.poll(readJobs).toEqual([])
})

test('a login whose link is deleted before it is stored leaves nothing, and its code is invalid', async () => {
  const login = () => logInWith(site, 'messaging', { user: 'Is Unlinked' })
  const user = { site: site.site, identifier: await application.userOf(await login()) }
  const { links } = await readLinkData(serviceStack, user)
  const linkIds = links.map(({ link_id }) => link_id)
  const deletedAt = new Date().toISOString()
  // Identity does not know the link yet, as if its message had arrived before the login.
  await serviceStack.provider_auth.deleteLinks(
    { ...user, link_ids: linkIds, deleted_at: deletedAt },
    serviceStack.call(),
  )
  await settled(serviceStack)
  await expect(application.redeem(await login())).rejects.toThrow('invalid_grant')
  expect((await readLinkData(serviceStack, user)).credentials).toEqual({})
})
