import type { ImportedUser, Link, Provider, User, UserBlock } from '#contracts'
import { isSameProvider } from './provider-accounts.ts'

/** A stored user that a record matches. */
export interface MatchedUser {
  readonly user: User
  readonly links: readonly Pick<Link, 'provider' | 'provider_user_id'>[]
}

/** The changes of a matched user; links by their index in the record. */
export interface UserChange {
  /** The fields after the change; null if they stay. */
  readonly user: ImportedFields | null
  readonly new_links: readonly number[]
  readonly unlinked: readonly Provider[]
}

/** The fields of a user that an import sets. Times as text. */
export type ImportedFields = Omit<User, 'identifier' | 'sessions_ended_at'>

/** The links of a record that the user does not have yet. */
function listNewLinks(record: ImportedUser, links: MatchedUser['links']): number[] {
  const isLinked = ({ provider, provider_user_id }: ImportedUser['links'][number]) =>
    links.some((link) => link.provider === provider && link.provider_user_id === provider_user_id)
  return [...record.links.keys()].filter((index) => {
    const link = record.links[index]
    return link !== undefined && !isLinked(link)
  })
}

/**
 * Adds to a user what a record knows in addition: links, a primary key, an earlier creation, a later login, the higher number of logins.
 *
 * @returns why that is not possible, or the changes
 */
export function mergeRecord(
  record: ImportedUser,
  { user, links }: MatchedUser,
  now: string,
): UserChange | 'account_of_provider_linked' | 'primary_key_differs' {
  const newLinks = listNewLinks(record, links)
  const isTaken = (index: number) =>
    links.some((link) => {
      const added = record.links[index]
      return (
        added !== undefined &&
        isSameProvider(link.provider, added.provider) &&
        link.provider_user_id !== added.provider_user_id
      )
    })
  if (newLinks.some(isTaken)) return 'account_of_provider_linked'
  if (record.primary_key !== null && user.primary_key !== null && record.primary_key !== user.primary_key)
    return 'primary_key_differs'
  const isMapped = user.primary_key === null && record.primary_key !== null
  const isLater =
    record.last_logged_in_at !== null &&
    (user.last_logged_in_at === null || Date.parse(record.last_logged_in_at) > Date.parse(user.last_logged_in_at))
  const isEarlier = record.created_at !== undefined && Date.parse(record.created_at) < Date.parse(user.created_at)
  const isHigher = record.login_count > user.login_count
  const isBlocked = record.block !== undefined && user.block === undefined
  const merged: ImportedFields = {
    primary_key: isMapped ? record.primary_key : user.primary_key,
    mapped_at: isMapped ? (record.mapped_at ?? now) : user.mapped_at,
    last_logged_in_at: isLater ? record.last_logged_in_at : user.last_logged_in_at,
    last_logged_in_provider: isLater ? record.last_logged_in_provider : user.last_logged_in_provider,
    login_count: Math.max(record.login_count, user.login_count),
    created_at: isEarlier && record.created_at !== undefined ? record.created_at : user.created_at,
    block: user.block ?? toImportedBlock(record, now),
  }
  return {
    user: isMapped || isLater || isEarlier || isHigher || isBlocked ? merged : null,
    new_links: newLinks,
    unlinked: [],
  }
}

/** Gives a user the fields and links of a record. The creation time and the block stay if the record has none. */
export function replaceWithRecord(record: ImportedUser, { user, links }: MatchedUser, now: string): UserChange {
  const isInRecord = ({ provider, provider_user_id }: MatchedUser['links'][number]) =>
    record.links.some((link) => link.provider === provider && link.provider_user_id === provider_user_id)
  const fields = toImportedFields(record, record.created_at ?? user.created_at, now)
  return {
    user: { ...fields, block: fields.block ?? user.block },
    new_links: listNewLinks(record, links),
    unlinked: links.filter((link) => !isInRecord(link)).map(({ provider }) => provider),
  }
}

/** The fields of a user with exactly the data of a record. */
export function toImportedFields(record: ImportedUser, createdAt: string, now: string): ImportedFields {
  const { primary_key, last_logged_in_at, last_logged_in_provider, login_count } = record
  return {
    primary_key,
    mapped_at: primary_key === null ? null : (record.mapped_at ?? now),
    last_logged_in_at,
    last_logged_in_provider,
    login_count,
    created_at: createdAt,
    block: toImportedBlock(record, now),
  }
}

function toImportedBlock({ block }: ImportedUser, now: string): UserBlock | undefined {
  return block && { ...block, since: block.since ?? now }
}
