import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { repeatUntilDefinite } from '../faults/client.ts'
import { requestOperations } from '../faults/crashes/run-crashes.ts'
import type { FaultSite } from '../faults/site.ts'
import { callWebApi } from '../faults/web-api.ts'

/** Longer than a background task takes to do what an operation left to it. */
const settleMs = 4_000
const answerWithinMs = 30_000

/** Runs every operation of the fault tests once, and all that reads through the Web API and the Admin API. */
export async function runOperations(site: FaultSite): Promise<void> {
  for (const { name, prepare } of requestOperations) {
    const request = await prepare(site, newTag())
    const answer =
      (await request.attempt()) ?? (await repeatUntilDefinite(request.attempt, { withinMs: answerWithinMs }))
    if (answer === undefined) throw new Error(`${name} has no definite answer.`)
    await request.repeat?.()
    // Of a login, by one more login of the same end user.
    await request.findUsers(answer)
  }
  await read(site)
  await sleep(settleMs)
}

/** The operations of the Web API that `requestOperations` lacks, with their parameters for a user. */
const reads = {
  user_attribute: {},
  profile: {},
  profile_from_providers: { target_provider: 'messaging,search' },
  providers_of_user: {},
  'messaging/friendship_status': {},
  providers: undefined,
  appinfo: undefined,
  users: undefined,
} as const

async function read(site: FaultSite): Promise<void> {
  const tag = newTag()
  const links = (['messaging', 'search'] as const).map((provider) => ({ provider, provider_user_id: tag }))
  const identifier = await site.createUser({ primary_key: tag, links })
  for (const [operation, parameters] of Object.entries(reads))
    for (const user of parameters === undefined ? [{}] : [{ identifier }, { primary_key: tag }])
      await callWebApi(site, operation, { ...user, ...parameters })
  for (const filter of [{ page: '2' }, { created_within: '30d' }, { last_login_within: '1d' }, { mapped: 'true' }])
    await callWebApi(site, 'users', filter)
  const { site_id, clients } = site.demo
  const [{ client_id }] = clients
  for (const path of [
    'field-deletion',
    'keys',
    'clients',
    'providers',
    'users',
    'exports',
    'usage/logins',
    'usage/api',
    `users/${identifier}`,
    `clients/${client_id}`,
    `clients/${client_id}/rejections`,
  ])
    await site.admin.read(`/sites/${site_id}/${path}`)
  await site.admin.send('POST', `/sites/${site_id}/users/search`, { q: tag })
  await filterByMetadata(site, identifier)
  // Unknown, but looked up.
  await site.admin.send('GET', `/sites/${site_id}/requests/${randomUUID()}`)
  for (const path of ['/sites', '/members', '/tokens', '/audit']) await site.admin.read(path)
}

/** Indexes the metadata of a user, and reads a list of those who have it. */
async function filterByMetadata(site: FaultSite, identifier: string): Promise<void> {
  const { site_id } = site.demo
  const path = `/sites/${site_id}/metadata-search`
  const { etag } = await site.admin.send('GET', path)
  await site.admin.send('PUT', path, { paths: ['app_metadata.plan'] }, { 'if-match': etag })
  await callWebApi(site, 'update_metadata', { identifier, app_metadata: '{"plan":"gold"}' })
  await site.admin.read(`/sites/${site_id}/users?metadata=${encodeURIComponent('app_metadata.plan=gold')}`)
}

function newTag(): string {
  return `s${randomUUID().replaceAll('-', '').slice(0, 16)}`
}
