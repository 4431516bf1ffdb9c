import { setTimeout as delay } from 'node:timers/promises'
import { type Call, newCall } from '#bus'
import { Fault, type Provider, type UserPosition } from '#contracts'
import type { ServiceClients } from '../bus.ts'
import type { StoredExport } from '../store/exports.ts'
import type { ExportedUser } from './columns.ts'

const pageSize = 100

/** What an export reads. */
export type ExportOptions = Pick<StoredExport, 'site' | 'format' | 'with_profile' | 'with_credentials' | 'filter'>

/** Iterates over the users of a site, newest first, by page, with their total number. Skips users deleted meanwhile. */
export async function* iterateUsers(
  options: ExportOptions,
  deps: ExportServices,
  signal: AbortSignal,
): AsyncGenerator<{ total: number; users: readonly ExportedUser[] }> {
  const { site, filter } = options
  const retrying = createRetry(signal)
  const list = { site, limit: pageSize, conditions: filter, sort: 'created' as const, order: 'desc' as const }
  let after: UserPosition | undefined
  // Without a count, the users so far are the total, and the export says so at its end.
  let counted = 0
  for (;;) {
    const { identifiers, total, next } = await retrying((call) =>
      deps.identity.listMatchingUsers({ ...list, after }, call),
    )
    const { users } = await retrying((call) => deps.identity.readLinkedUsers({ site, identifiers }, call))
    counted += users.length
    yield { total: total ?? counted, users: await addData(users, options, deps, retrying) }
    if (next === null) return
    after = next
  }
}

/** The names of the providers that the site configured. */
export async function listConfigured(
  { site }: ExportOptions,
  { provider_auth }: ExportServices,
  signal: AbortSignal,
): Promise<readonly Provider[]> {
  return (await createRetry(signal)((call) => provider_auth.listConfiguredProviders({ site }, call))).providers
}

type LinkedUser = Pick<ExportedUser, 'user' | 'links'>

/** Adds what the other services store about users, as far as the export contains it. */
async function addData(
  users: readonly LinkedUser[],
  { site, format, with_profile, with_credentials }: ExportOptions,
  { identity, profile, provider_auth, friendship }: ExportServices,
  retrying: Retrying,
): Promise<ExportedUser[]> {
  const identifiers = users.map(({ user }) => user.identifier)
  const linkIds = users.flatMap(({ links }) => links.map(({ link_id }) => link_id))
  const withRecords = format === 'ndjson'
  const [{ profiles }, { credentials }, { statuses }, { metadata }, { consents }] = await Promise.all([
    retrying((call) => profile.readStoredProfiles({ site, identifiers }, call)),
    with_credentials
      ? retrying((call) => provider_auth.exportCredentials({ site, link_ids: linkIds }, call))
      : { credentials: {} },
    withRecords && with_profile
      ? retrying((call) => friendship.readStatuses({ site, link_ids: linkIds }, call))
      : { statuses: {} },
    withRecords && with_profile
      ? retrying((call) => identity.readMetadataOfUsers({ site, identifiers }, call))
      : { metadata: {} },
    withRecords && with_profile
      ? retrying((call) => identity.readConsentsOfUsers({ site, identifiers }, call))
      : { consents: {} },
  ])
  return users.map((one) => {
    const stored: ExportedUser['profile'] = Reflect.get(profiles, one.user.identifier)
    // An export without profiles says at least whether they are prohibited, so that an import keeps it.
    const shown = stored === undefined || with_profile ? stored : { ...stored, data: {} }
    const { identifier } = one.user
    return {
      ...one,
      profile: shown,
      metadata: Reflect.get(metadata, identifier),
      consents: Reflect.get(consents, identifier),
      credentials,
      statuses,
    }
  })
}

type ExportServices = Pick<ServiceClients, 'identity' | 'profile' | 'provider_auth' | 'friendship'>
type Retrying = ReturnType<typeof createRetry>

const attempts = 8
const pauseMs = 500

/** Repeats a call while its service is unavailable, until the signal aborts. Each attempt has the full deadline of a call. */
function createRetry(signal: AbortSignal) {
  return async <T>(request: (call: Call) => Promise<T>): Promise<T> => {
    for (let attempt = 1; ; attempt++) {
      signal.throwIfAborted()
      try {
        return await request(newCall())
      } catch (error) {
        if (!(error instanceof Fault) || error.fault !== 'unavailable' || attempt === attempts) throw error
        await delay(pauseMs * attempt, undefined, { signal })
      }
    }
  }
}
