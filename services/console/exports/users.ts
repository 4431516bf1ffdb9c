import { setTimeout as delay } from 'node:timers/promises'
import { type Call, newCall } from '#bus'
import { Fault, type Provider, type UserPosition } from '#contracts'
import type { ServiceClients } from '../bus.ts'
import type { StoredExport } from '../store/exports.ts'
import type { ExportedUser } from './columns.ts'
import { listParts } from './exported-parts.ts'

const pageSize = 100

/** What an export reads. */
export type ExportOptions = Pick<
  StoredExport,
  'site' | 'format' | 'columns' | 'with_profile' | 'with_credentials' | 'filter'
>

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
    const { identifiers, to_be_deleted, total, next } = await retrying((call) =>
      deps.identity.listMatchingUsers({ ...list, after }, call),
    )
    const { users } = await retrying((call) => deps.identity.readLinkedUsers({ site, identifiers }, call))
    counted += users.length
    const usersToDelete = new Set(to_be_deleted)
    const listed = users.map((one) => ({ ...one, isToBeDeleted: usersToDelete.has(one.user.identifier) }))
    yield { total: total ?? counted, users: await addData(listed, options, deps, retrying) }
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

type ListedUser = Pick<ExportedUser, 'user' | 'links' | 'isToBeDeleted'>

/** Adds what the other services store about users, as far as the export contains it. */
async function addData(
  users: readonly ListedUser[],
  options: ExportOptions,
  { identity, profile, provider_auth, friendship }: ExportServices,
  retrying: Retrying,
): Promise<ExportedUser[]> {
  const { site, with_profile } = options
  const identifiers = users.map(({ user }) => user.identifier)
  const linkIds = users.flatMap(({ links }) => links.map(({ link_id }) => link_id))
  const parts = listParts(options)
  const [{ profiles }, { profiles: names }, { credentials }, { statuses }, { metadata }, { consents }] =
    await Promise.all([
      parts.has('profile')
        ? retrying((call) => profile.readStoredProfiles({ site, identifiers }, call))
        : { profiles: {} },
      parts.has('name')
        ? retrying((call) => profile.readProfileSummaries({ site, identifiers }, call))
        : { profiles: {} },
      parts.has('credentials')
        ? retrying((call) => provider_auth.exportCredentials({ site, link_ids: linkIds }, call))
        : { credentials: {} },
      parts.has('statuses')
        ? retrying((call) => friendship.readStatuses({ site, link_ids: linkIds }, call))
        : { statuses: {} },
      parts.has('metadata')
        ? retrying((call) => identity.readMetadataOfUsers({ site, identifiers }, call))
        : { metadata: {} },
      parts.has('consents')
        ? retrying((call) => identity.readConsentsOfUsers({ site, identifiers }, call))
        : { consents: {} },
    ])
  return users.map((one) => {
    const stored: ExportedUser['profile'] = Reflect.get(profiles, one.user.identifier)
    const shown = stored === undefined || with_profile ? stored : { ...stored, data: {} }
    const { identifier } = one.user
    const summary: { readonly name: string | null } | undefined = Reflect.get(names, identifier)
    return {
      ...one,
      profile: shown,
      name: summary?.name ?? null,
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

/**
 * Repeats a call while its service is unavailable, until the signal aborts. Each attempt has the full deadline of a call. What it reads
 * may be as old as this function, so that an export contains all that was changed before its start.
 */
function createRetry(signal: AbortSignal) {
  const startedAt = performance.now()
  return async <T>(request: (call: Call) => Promise<T>): Promise<T> => {
    for (let attempt = 1; ; attempt++) {
      signal.throwIfAborted()
      try {
        return await request(newCall({ maxAgeMs: performance.now() - startedAt }))
      } catch (error) {
        if (!(error instanceof Fault) || error.fault !== 'unavailable' || attempt === attempts) throw error
        await delay(pauseMs * attempt, undefined, { signal })
      }
    }
  }
}
