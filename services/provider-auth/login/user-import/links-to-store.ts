import type { friendshipContract, Input, profileContract, UserRecord } from '#contracts'
import type { ImportedCredential } from '../../store/imported-credentials.ts'
import type { IdentityImport, ImportedBatch } from './import-job.ts'

type RecordedLink = UserRecord['links'][number]

/** A link of the batch whose data must be stored, with its record. */
export interface LinkToStore {
  readonly link_id: string
  readonly identifier: string
  readonly user: UserRecord
  readonly record: RecordedLink
}

/** The links of a batch that identity created or replaced. */
export function listLinksToStore({ users }: ImportedBatch, { results }: IdentityImport): LinkToStore[] {
  return users.flatMap((user, index) =>
    (results[index]?.links ?? []).flatMap(({ provider, link_id, identifier }) => {
      const record = user.links.find((link) => link.provider === provider)
      return record === undefined ? [] : [{ link_id, identifier, user, record }]
    }),
  )
}

/** The tokens of links. */
export function listImportedCredentials(links: readonly LinkToStore[]): ImportedCredential[] {
  return links.flatMap(toCredential)
}

function toCredential({ link_id, record }: LinkToStore): ImportedCredential[] {
  const { provider, provider_user_id, credential } = record
  if (credential === undefined) return []
  const toDate = (time: string | null | undefined) => (time == null ? null : new Date(time))
  return [
    {
      link_id,
      provider,
      provider_user_id,
      access_token: credential.access_token,
      access_secret: credential.access_secret,
      refresh_token: credential.refresh_token,
      expires_at: toDate(credential.expires_at),
      client_access_token: credential.client_access_token,
      client_access_secret: credential.client_access_secret,
      client_refresh_token: credential.client_refresh_token,
      client_expires_at: toDate(credential.client_expires_at),
      created_at: toDate(credential.created_at),
      updated_at: toDate(credential.updated_at),
    },
  ]
}

type Statuses = Input<(typeof friendshipContract.procedures)['importStatuses']>['statuses']

/** The friend statuses of links. */
export function listImportedStatuses(links: readonly LinkToStore[], recordedAt: string): Statuses {
  return links.flatMap(({ link_id, record: { friendship_status, friendship_status_updated_at } }) =>
    friendship_status === undefined
      ? []
      : [{ link_id, friendship_status, obtained_at: friendship_status_updated_at ?? recordedAt }],
  )
}

type Profiles = Input<(typeof profileContract.procedures)['importProfiles']>['users']

/** The data of links and the prohibitions, by user. */
export function listImportedProfiles(
  { users }: ImportedBatch,
  { results, recorded_at }: IdentityImport,
  links: readonly LinkToStore[],
): Profiles {
  const linksOf = Map.groupBy(links, ({ user }) => user)
  return users.flatMap((user, index) => {
    const identifier = results[index]?.identifier ?? null
    const data = (linksOf.get(user) ?? []).flatMap(({ link_id, record }) =>
      toProviderData(user, link_id, record, recorded_at),
    )
    if (identifier === null || (data.length === 0 && !user.profile_prohibited)) return []
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
}

function toProviderData(user: UserRecord, linkId: string, { provider, data }: RecordedLink, recordedAt: string) {
  if (data === undefined) return []
  const { obtained_at, ...supplied } = data
  const obtainedAt = obtained_at ?? user.last_logged_in_at ?? user.created_at ?? recordedAt
  return [{ link_id: linkId, provider, data: supplied, obtained_at: obtainedAt }]
}
