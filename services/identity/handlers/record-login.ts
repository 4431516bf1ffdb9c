import type { Knex } from 'knex'
import { Fault, type User } from '#contracts'
import { runCommand, storeEvents } from '#database'
import { newIdentifier } from '#runtime'
import type { IdentityHandlers } from '../deps.ts'
import { createdEvent, deletionCanceledEvent, loginEvents } from '../domain/user-events.ts'
import { readClock } from '../store/clock.ts'
import { deleteInactivityDeletion } from '../store/inactive-users.ts'
import { insertLogin } from '../store/insert-login.ts'
import {
  type Holder,
  insertLinks,
  insertLinkUnlessConflict,
  isAnyLinked,
  lockAccounts,
  lockHolder,
  type ProviderAccount,
} from '../store/links.ts'
import { findLogin } from '../store/login-history.ts'
import { insertUser, type UserKey } from '../store/users.ts'

export const recordLogin: IdentityHandlers['recordLogin'] = async (
  { site, login, age_ms, create_user, ...account },
  { knex },
) => {
  const record = async (trx: Knex.Transaction, isRepeat: boolean) => {
    const holder = await lockHolderOrAccount(trx, site, account)
    const repeated = await findLogin(trx, site, login)
    if (repeated !== undefined) {
      if (holder?.identifier !== repeated.user.identifier) throw new Fault('entity_not_found')
      rejectBlocked(repeated.user)
      return { ...repeated, link_id: holder.link_id }
    }
    // The user was deleted with the login: a repeat must not create another one.
    if (isRepeat) throw new Fault('entity_not_found')
    const at = await readClock(trx, age_ms)
    const created = holder === undefined
    if (created && !create_user) throw new Fault('entity_not_found')
    const user = { site, identifier: holder?.identifier ?? newIdentifier(at.getTime()) }
    const { provider } = account
    if (created) {
      const fields = { ...user, primary_key: null, created_at: at }
      await insertUser(trx, fields, createdEvent({ ...fields, time: at }, 'login', [provider]))
    }
    const { link_id, linked } = await ensureLink(trx, { ...user, ...account }, holder, at)
    const recorded = await insertLogin(trx, { ...user, login, provider, created_user: created, at })
    const { user: counted, is_deletion_noticed } = recorded
    // Checked in the row that the login returns; the transaction is rolled back.
    rejectBlocked(counted)
    await storeEvents(trx, [
      ...loginEvents(user, counted, { provider, linked, at }),
      ...(is_deletion_noticed ? [deletionCanceledEvent({ ...counted, site, time: at })] : []),
    ])
    if (is_deletion_noticed) await deleteInactivityDeletion(trx, user, null)
    return { user: counted, link_id, created, recorded_at: at.toISOString() }
  }
  return runCommand(
    knex,
    { site, command: login },
    (trx) => record(trx, false),
    (trx) => record(trx, true),
  )
}

function rejectBlocked({ block }: User): void {
  if (block !== undefined) throw new Fault('user_blocked')
}

/** Returns the link of the account; `linked`: added to an existing user, for search in addition to search_legacy. */
async function ensureLink(
  trx: Knex.Transaction,
  { site, identifier, ...account }: UserKey & ProviderAccount,
  holder: Holder | undefined,
  at: Date,
): Promise<{ link_id: string; linked: boolean }> {
  const user = { site, identifier }
  if (holder === undefined) {
    const [link] = await insertLinks(trx, user, [account], at)
    if (link === undefined) throw new Error('The insert returned no link.')
    return { link_id: link.link_id, linked: false }
  }
  if (holder.linked_as.includes(account.provider)) return { link_id: holder.link_id, linked: false }
  const added = await insertLinkUnlessConflict(trx, user, account, at)
  return { link_id: added ?? holder.link_id, linked: added !== undefined }
}

/** Serializes the logins of one account: locks its user, or the account itself if it has none. */
async function lockHolderOrAccount(trx: Knex.Transaction, site: number, account: ProviderAccount) {
  const holder = await lockHolder(trx, site, account)
  if (holder !== undefined) return holder
  await lockAccounts(trx, site, [account])
  for (;;) {
    const holder = await lockHolder(trx, site, account)
    // If the user was merged while we waited, only the link is found: it belongs to another user now, so try again.
    if (holder !== undefined || !(await isAnyLinked(trx, site, [account]))) return holder
  }
}
