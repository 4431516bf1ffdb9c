import { type Call, remainingMs } from '#bus'
import type { UserRecord } from '#contracts'
import { lockLinksForStoring, transaction } from '#database'
import type { Deps } from '../deps.ts'
import type { ProviderAuthMessage } from '../outbox.ts'
import { type ImportedCredential, upsertImportedCredentials } from '../store/imported-credentials.ts'
import { type IdentityImport, type ImportedBatch, removeImportJob } from './import-job.ts'

type RecordedLink = UserRecord['links'][number]

/** A link of the batch whose data must be stored, with its record. */
interface LinkToStore {
  readonly link_id: string
  readonly identifier: string
  readonly user: UserRecord
  readonly record: RecordedLink
}

/** Stores tokens and messages to other services in one transaction, instead of the batch's job; then sends the messages. */
export async function persistImport(
  batch: ImportedBatch,
  imported: IdentityImport,
  deps: Deps,
  call: Call,
): Promise<void> {
  const links = listLinksToStore(batch, imported)
  const messages = createMessages(batch, imported, links)
  const recordedAt = new Date(imported.recorded_at)
  const credentials = links.flatMap(toCredential)
  const isFirst = await transaction(deps.knex, async (trx) => {
    // Otherwise the job has persisted the batch.
    if (!(await removeImportJob(trx, batch))) return false
    const linkIds = credentials.map(({ link_id }) => link_id)
    const storable = await lockLinksForStoring(trx, { site: batch.site, link_ids: linkIds, recorded_at: recordedAt })
    const stored = credentials.filter(({ link_id }) => storable.has(link_id))
    await upsertImportedCredentials(trx, deps.encryptor, { site: batch.site, recorded_at: recordedAt }, stored)
    await deps.outbox.enqueue(trx, messages)
    return true
  })
  if (isFirst) await deps.outbox.send(messages, { request_id: call.request_id, withinMs: remainingMs(call) })
}

function listLinksToStore({ users }: ImportedBatch, { results }: IdentityImport): LinkToStore[] {
  return users.flatMap((user, index) =>
    (results[index]?.links ?? []).flatMap(({ provider, link_id, identifier }) => {
      const record = user.links.find((link) => link.provider === provider)
      return record === undefined ? [] : [{ link_id, identifier, user, record }]
    }),
  )
}

function toCredential({ link_id, record }: LinkToStore): ImportedCredential[] {
  const { provider, provider_user_id, credential } = record
  if (credential === undefined) return []
  const toDate = (time: string | null | undefined) => (time == null ? null : new Date(time))
  return [
    {
      ...{ link_id, provider, provider_user_id },
      access_token: credential.access_token,
      access_secret: credential.access_secret,
      refresh_token: credential.refresh_token,
      expires_at: toDate(credential.expires_at),
      created_at: toDate(credential.created_at),
      updated_at: toDate(credential.updated_at),
    },
  ]
}

function createMessages(
  { site, command, conflict, users }: ImportedBatch,
  { recorded_at, results }: IdentityImport,
  links: readonly LinkToStore[],
): ProviderAuthMessage[] {
  const statuses = links.flatMap(({ link_id, record: { friendship_status, friendship_status_updated_at } }) =>
    friendship_status === undefined
      ? []
      : [{ link_id, friendship_status, obtained_at: friendship_status_updated_at ?? recorded_at }],
  )
  const linksOf = Map.groupBy(links, ({ user }) => user)
  const profiles = users.flatMap((user, index) => {
    const outcome = results[index]?.outcome.outcome
    const stored = linksOf.get(user) ?? []
    const identifier = stored[0]?.identifier
    const data = stored.flatMap(({ link_id, record }) => toProviderData(user, link_id, record, recorded_at))
    const isChanged = data.length > 0 || user.profile_prohibited
    if (identifier === undefined || !isChanged || outcome === 'rejected' || outcome === 'skipped') return []
    return [
      {
        identifier,
        prohibited: user.profile_prohibited,
        updated_at: user.profile_updated_at ?? undefined,
        update_count: user.profile_update_count,
        links: data,
      },
    ]
  })
  return [
    ...(profiles.length === 0
      ? []
      : [
          {
            to: 'profile.importProfiles' as const,
            input: { site, recorded_at, replace: conflict === 'replace', users: profiles },
            key: `profile.importProfiles:${command}`,
          },
        ]),
    ...(statuses.length === 0
      ? []
      : [
          {
            to: 'friendship.importStatuses' as const,
            input: { site, statuses },
            key: `friendship.importStatuses:${command}`,
          },
        ]),
  ]
}

function toProviderData(user: UserRecord, linkId: string, { provider, data }: RecordedLink, recordedAt: string) {
  if (data === undefined) return []
  const { obtained_at, ...supplied } = data
  const obtainedAt = obtained_at ?? user.last_logged_in_at ?? user.created_at ?? recordedAt
  return [{ link_id: linkId, provider, data: supplied, obtained_at: obtainedAt }]
}
