import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, inject, test } from 'vitest'
import { z } from 'zod'
import { requireProgram } from '#local'
import { nodeEnvironment, openForTest, seedSite, startForTest, startStack } from '#testing'
import { applicationOf } from '../../services/provider-auth/test/application.ts'
import { logInWith } from '../../services/provider-auth/test/browser.ts'
import { identity } from '../services.ts'

/** The commands of a section of the documentation. */
function commandsOf(heading: string): string[] {
  const text = readFileSync('docs/operate/restore.md', 'utf8')
  const [, section = ''] = text.split(`## ${heading}\n`)
  const [own = ''] = section.split('\n## ')
  return [...own.matchAll(/```sh\n(.*?)```/gs)].map(([, commands = '']) => commands)
}

test('identity restored to an earlier moment: the documented commands repeat deletions, list merges and remove unreachable data', async () => {
  await using stack = new AsyncDisposableStack()
  const serviceStack = stack.use(await startStack())
  const directory = await mkdtemp(join(tmpdir(), 'social-login-restore-'))
  stack.defer(() => rm(directory, { recursive: true, force: true }))
  const programs = dirname(await realpath((await requireProgram('postgres')).path))
  const { database_urls, call } = serviceStack
  const environment = {
    ...nodeEnvironment,
    PATH: `${programs}${delimiter}${nodeEnvironment.PATH}`,
    IDENTITY_DATABASE_URL: database_urls.identity,
    PROFILE_DATABASE_URL: database_urls.profile,
    PROVIDER_AUTH_DATABASE_URL: database_urls.provider_auth,
    FRIENDSHIP_DATABASE_URL: database_urls.friendship,
    EVENTS_DATABASE_URL: database_urls.events,
  }
  const run = (commands: string) => promisify(execFile)('sh', ['-ec', commands], { env: environment, cwd: directory })

  const site = await seedSite(serviceStack)
  const users = await logInUsers(['Deleted', 'Unlinked', 'Source', 'Destination', 'Untouched'])
  const second = await logInAs('Unlinked', 'portal')
  await webApi('merge_user', { source_identifier: second, dest_identifier: users.Unlinked })
  await run('pg_dump --format=custom --file=identity.dump "$IDENTITY_DATABASE_URL"')

  await webApi('delete_user', { identifier: users.Deleted })
  await webApi('dissociate', { identifier: users.Unlinked, target_provider: 'portal' })
  await webApi('merge_user', { source_identifier: users.Source, dest_identifier: users.Destination })
  const { New } = await logInUsers(['New'])
  const { links: linksOfNew } = await serviceStack.identity.resolveUser({ site: site.site, identifier: New }, call())
  const newer = await registerSite('newer')
  for (const replica of serviceStack.services.identity) await replica.stop()

  await restoreIdentity()
  const [repeat = '', remove = ''] = commandsOf('Identity restored to an earlier moment')
  const position = () => serviceStack.events.readPosition({ site: site.site }, call())
  const before = await position()
  const { stdout } = await run(repeat)
  await run(commandsOf('Events after a restore').join(''))
  const earlier = serviceStack.events.listEvents({ site: site.site, after: before, limit: 1 }, call())
  await expect(earlier).rejects.toMatchObject({ fault: 'events_deleted' })
  expect((await position()).sequence).toBeGreaterThan(0)
  const merged = `${site.site},${users.Source},${users.Destination}`
  expect(stdout.trim().split('\n').slice(-2)).toEqual(['site,source_identifier,dest_identifier', merged])
  expect((await readFile(join(directory, 'merged.csv'), 'utf8')).trim().split('\n')).toHaveLength(2)

  const restored = await startForTest('identity', identity, {
    NATS_URL: serviceStack.nats.url,
    DATABASE_URL: database_urls.identity,
  })
  stack.defer(restored.stop)
  await webApi('merge_user', { source_identifier: users.Source, dest_identifier: users.Destination })
  await run(remove)

  expect(await providersOf(users.Deleted)).toBe(404)
  expect(await providersOf(users.Source)).toBe(404)
  expect(await providersOf(users.Unlinked)).toEqual(['search'])
  expect(await providersOf(users.Destination)).toEqual(['messaging', 'search'])
  expect(await providersOf(users.Untouched)).toEqual(['search'])
  for (const name of ['Unlinked', 'Destination', 'Untouched'] as const)
    expect(await storedFor(users[name]), name).toEqual(await providersOf(users[name]))

  // The user created after the restored time is unknown, and no data is stored for their links.
  expect(await providersOf(New)).toBe(404)
  const linkIds = linksOfNew.map(({ link_id }) => link_id)
  expect(linkIds).toHaveLength(1)
  expect(await serviceStack.profile.readProviderData({ site: site.site, link_ids: linkIds }, call())).toEqual({
    data: {},
  })
  const stored = await serviceStack.provider_auth.readCredentials({ site: site.site, link_ids: linkIds }, call())
  expect(stored).toEqual({ credentials: {} })
  expect(await logInAs('New')).not.toBe(New)
  // The number of a site created after the restored time is not used again.
  expect(await registerSite('newest')).toBeGreaterThan(newer)

  async function registerSite(siteId: string): Promise<number> {
    const { site } = await serviceStack.identity.registerSite(
      { account: 'test', site_id: siteId, name: siteId },
      call(),
    )
    return site
  }

  async function logInAs(user: string, provider: 'search' | 'portal' | 'messaging' = 'search'): Promise<string> {
    const callback = await logInWith(site, provider, { user })
    return applicationOf(serviceStack, site).userOf(callback)
  }

  async function logInUsers<Name extends string>(names: readonly Name[]): Promise<Record<Name, string>> {
    const users: [string, string][] = []
    // Users of one provider each, except the two that are merged: they must not share one.
    for (const name of names) users.push([name, await logInAs(name, name === 'Source' ? 'messaging' : 'search')])
    return Object.fromEntries(users) as Record<Name, string> // one entry of each name
  }

  async function request(operation: string, parameters: Readonly<Record<string, string>>): Promise<Response> {
    const headers = { authorization: `Bearer ${site.api_key}` }
    return fetch(`${serviceStack.web_api}/${operation}`, {
      method: 'POST',
      headers,
      body: new URLSearchParams(parameters),
    })
  }

  async function webApi(operation: string, parameters: Readonly<Record<string, string>>): Promise<void> {
    const response = await request(operation, parameters)
    expect(await response.json(), operation).toMatchObject({ status: 'ok' })
  }

  /** The providers of a user, or the status for an unknown user. */
  async function providersOf(identifier: string): Promise<number | string[]> {
    const response = await request('providers_of_user', { identifier })
    if (response.status !== 200) return response.status
    return z
      .object({ providers: z.array(z.string()) })
      .parse(await response.json())
      .providers.sort()
  }

  /** The providers whose data the services store for a user. */
  async function storedFor(identifier: string): Promise<string[]> {
    const { links } = await serviceStack.identity.resolveUser({ site: site.site, identifier }, call())
    const linkIds = links.map(({ link_id }) => link_id)
    const [{ data }, { credentials }] = await Promise.all([
      serviceStack.profile.readProviderData({ site: site.site, link_ids: linkIds }, call()),
      serviceStack.provider_auth.readCredentials({ site: site.site, link_ids: linkIds }, call()),
    ])
    return links
      .filter(({ link_id }) => link_id in data && link_id in credentials)
      .map(({ provider }) => provider)
      .sort()
  }

  /** Restores as documented, into the database whose connections have just ended. */
  async function restoreIdentity(): Promise<void> {
    const { username, pathname } = new URL(database_urls.identity)
    const name = pathname.slice(1)
    await using superuser = openForTest(inject('postgres_url'))
    await superuser.knex.raw('drop database ?? with (force)', [name])
    await superuser.knex.raw('create database ?? owner ??', [name, username])
    const own = new URL(inject('postgres_url'))
    own.pathname = pathname
    await run(`pg_restore --no-owner --role=${username} --exit-on-error --dbname='${own}' identity.dump`)
  }
})
