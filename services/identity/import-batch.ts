import { randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import type { ConflictRule, ImportedUser, ImportOutcome, RejectedField, User } from '#contracts'
import type { EventToStore } from '#database'
import { newIdentifier } from '#runtime'
import {
  type ImportedFields,
  type MatchedUser,
  mergeRecord,
  replaceWithRecord,
  toImportedFields,
  type UserChange,
} from './domain/import-user.ts'
import { accountKey } from './domain/provider-accounts.ts'
import { blockedEvent, createdEvent, linkedEvents, mappingEvent, unlinkedEvents } from './domain/user-events.ts'
import { openConsents } from './import-consents.ts'
import { openMetadata } from './import-metadata.ts'
import type { ReadSiteSchemas } from './metadata-validation.ts'
import { deleteLinksMessages, type IdentityMessage } from './outbox.ts'
import { readClock } from './store/clock.ts'
import {
  insertImportedLinks,
  insertImportedUsers,
  lockMatchingUsers,
  type NewImportedLink,
  type NewImportedUser,
  updateImportedUser,
} from './store/imported-users.ts'
import { deleteLinkRows, lockAccounts } from './store/links.ts'

/** The result of a record: its outcome, and the links, by their index, whose data must be stored. */
export interface RecordResult {
  readonly outcome: ImportOutcome
  /** The user; null if the record changed none. */
  readonly identifier: string | null
  readonly links: readonly number[]
}

export interface BatchResult {
  readonly recorded_at: Date
  readonly results: readonly RecordResult[]
  /** For data of accounts that were unlinked. */
  readonly messages: readonly IdentityMessage[]
  readonly events: readonly EventToStore[]
}

/** Imports records one after another in a transaction; a later one finds the users of earlier ones. */
export async function importBatch(
  trx: Knex.Transaction,
  site: number,
  conflict: ConflictRule,
  records: readonly ImportedUser[],
  readSiteSchemas: ReadSiteSchemas,
): Promise<BatchResult> {
  // Locks accounts before users, in the same order as a first login.
  const accounts = records.flatMap(({ links }) => links)
  if (accounts.length > 0) await lockAccounts(trx, site, accounts)
  const matchingUsers = await lockMatchingUsers(trx, site, records)
  const usersByKey = createIndex(matchingUsers)
  const identifiers = matchingUsers.map(({ user }) => user.identifier)
  const metadata = await openMetadata(trx, site, records, identifiers, readSiteSchemas)
  const consents = await openConsents(trx, site, records, identifiers)
  const recordedAt = await readClock(trx)
  const now = recordedAt.toISOString()
  const results: RecordResult[] = []
  const messages: IdentityMessage[] = []
  const events: EventToStore[] = []
  const newUsers: NewImportedUser[] = []
  const newLinks: NewImportedLink[] = []
  /** Inserts the users of the records so far, before one of them changes. */
  const insertNew = async () => {
    await insertImportedUsers(trx, site, newUsers.splice(0))
    await insertImportedLinks(trx, site, newLinks.splice(0))
  }
  const addLinks = (identifier: string, record: ImportedUser, indexes: readonly number[], createdAt: string) => {
    for (const index of indexes) {
      const link = record.links[index]
      if (link !== undefined) newLinks.push({ ...link, identifier, created_at: link.created_at ?? createdAt })
    }
  }
  const create = (record: ImportedUser) => {
    const fields = toImportedFields(record, record.created_at ?? now, now)
    const identifier = record.identifier ?? newIdentifier(Date.parse(fields.created_at))
    newUsers.push({ identifier, is_given: record.identifier !== undefined, fields })
    const providers = record.links.map(({ provider }) => provider)
    const created = { ...fields, identifier, site, time: recordedAt, created_at: new Date(fields.created_at) }
    events.push(
      createdEvent(created, 'import', providers),
      ...newBlockEvents(created, undefined),
      ...toList(metadata.change(created, record, 'replace')),
      ...toList(consents.change(created, record, 'replace')),
    )
    const links = [...record.links.keys()]
    addLinks(identifier, record, links, fields.created_at)
    usersByKey.add(toMatched(identifier, fields, record))
    results.push({ outcome: { outcome: 'created' }, identifier, links })
  }
  const change = async (record: ImportedUser, matched: MatchedUser, { user, new_links, unlinked }: UserChange) => {
    await insertNew()
    const { identifier } = matched.user
    const fields = user ?? matched.user
    if (user !== null) await updateImportedUser(trx, { site, identifier }, user)
    if (unlinked.length > 0) {
      const linkIds = await deleteLinkRows(trx, { site, identifier }, unlinked)
      const deletion = { site, identifier, link_ids: linkIds, deleted_at: now }
      // A command changes many users, and one perhaps twice; no repeat waits for these messages.
      messages.push(...deleteLinksMessages({ ...deletion, profile: 'combine' }, { command: randomUUID() }))
    }
    addLinks(identifier, record, new_links, fields.created_at)
    const changed = { ...fields, identifier, site, time: recordedAt }
    const linked = pick(record.links, new_links).map(({ provider }) => provider)
    const rule = conflict === 'merge' ? 'merge' : 'replace'
    const mapped = mappingEvent(changed, matched.user.primary_key)
    events.push(
      ...unlinkedEvents(changed, unlinked),
      ...toList(mapped),
      ...linkedEvents(changed, linked),
      ...newBlockEvents(changed, matched.user.block),
      ...toList(metadata.change(changed, record, rule)),
      ...toList(consents.change(changed, record, rule)),
    )
    usersByKey.remove(matched)
    const kept = matched.links.filter(({ provider }) => !unlinked.includes(provider))
    usersByKey.add({
      user: { ...fields, identifier },
      links: [...kept, ...toMatched(identifier, fields, { ...record, links: pick(record.links, new_links) }).links],
    })
  }

  for (const record of records) {
    const [matched, ...others] = usersByKey.find(record)
    if (others.length > 0) results.push(reject('matches_several_users'))
    else if (matched !== undefined && conflict === 'fail') results.push(reject('user_exists'))
    else if (matched !== undefined && conflict === 'skip')
      results.push({ outcome: { outcome: 'skipped' }, identifier: null, links: [] })
    else if (metadata.findViolation(record) !== undefined)
      results.push(reject('metadata_invalid', metadata.findViolation(record)))
    else if (matched === undefined) create(record)
    else if (conflict === 'merge') {
      const merged = mergeRecord(record, matched, now)
      if (typeof merged === 'string') results.push(reject(merged))
      else {
        await change(record, matched, merged)
        results.push({ outcome: { outcome: 'merged' }, identifier: matched.user.identifier, links: merged.new_links })
      }
    } else {
      await change(record, matched, replaceWithRecord(record, matched, now))
      const links = [...record.links.keys()]
      results.push({ outcome: { outcome: 'replaced' }, identifier: matched.user.identifier, links })
    }
  }
  await insertNew()
  await metadata.store()
  await consents.store()
  return { recorded_at: recordedAt, results, messages, events }
}

/** The event of a block that the record adds. */
function newBlockEvents(user: Parameters<typeof blockedEvent>[0] & Pick<User, 'block'>, before: User['block']) {
  return user.block === undefined || before !== undefined ? [] : [blockedEvent(user, user.block.until)]
}

type Rejection = Extract<ImportOutcome, { outcome: 'rejected' }>['reason']

function reject(reason: Rejection, violation?: RejectedField): RecordResult {
  return { outcome: { outcome: 'rejected', reason, violation }, identifier: null, links: [] }
}

function toList<T>(value: T | undefined): T[] {
  return value === undefined ? [] : [value]
}

function pick<T>(values: readonly T[], indexes: readonly number[]): T[] {
  return values.filter((_, index) => indexes.includes(index))
}

function toMatched(identifier: string, fields: ImportedFields, { links }: Pick<ImportedUser, 'links'>): MatchedUser {
  return { user: { ...fields, identifier }, links }
}

/** Finds users by identifier, primary key and account. */
function createIndex(users: readonly MatchedUser[]) {
  const byId = new Map<string, MatchedUser>()
  const keysOf = ({ user, links }: MatchedUser) => [
    `identifier ${user.identifier}`,
    ...(user.primary_key === null ? [] : [`primary_key ${user.primary_key}`]),
    ...links.map((link) => `account ${accountKey(link)}`),
  ]
  const add = (matched: MatchedUser) => {
    for (const key of keysOf(matched)) byId.set(key, matched)
  }
  for (const matched of users) add(matched)
  return {
    add,
    remove(matched: MatchedUser) {
      for (const key of keysOf(matched)) byId.delete(key)
    },
    /** The users that have an identifier, primary key or account of a record, each once. */
    find({ identifier, primary_key, links }: ImportedUser): MatchedUser[] {
      const keys = [
        ...(identifier === undefined ? [] : [`identifier ${identifier}`]),
        ...(primary_key === null ? [] : [`primary_key ${primary_key}`]),
        ...links.map((link) => `account ${accountKey(link)}`),
      ]
      return [...new Set(keys.map((key) => byId.get(key)).filter((matched) => matched !== undefined))]
    },
  }
}
