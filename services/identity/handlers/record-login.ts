import type { Knex } from 'knex'
import { transaction } from '#database'
import { newIdentifier } from '#runtime'
import type { IdentityHandlers } from '../deps.ts'
import { readClock } from '../store/clock.ts'
import {
  type Account,
  anyLinked,
  insertLinks,
  insertLinkUnlessOther,
  lockAccounts,
  lockHolder,
} from '../store/links.ts'
import { findLogin, insertLogin } from '../store/login-history.ts'
import { insertUser, updateLogin } from '../store/users.ts'

export const recordLogin: IdentityHandlers['recordLogin'] = async ({ site, login, ...account }, { knex }) => {
  return transaction(knex, async (trx) => {
    const holder = await lockHolderOrAccount(trx, site, account)
    const repeated = await findLogin(trx, login)
    if (repeated !== undefined) return repeated

    const at = await readClock(trx)
    const created = holder === undefined
    const user = { site, identifier: holder?.identifier ?? newIdentifier(at.getTime()) }
    if (created) {
      await insertUser(trx, { ...user, primary_key: null, created_at: at })
      await insertLinks(trx, user, [account], at)
    } else if (!holder.linked_as.includes(account.provider)) {
      await insertLinkUnlessOther(trx, user, account, at)
    }
    await insertLogin(trx, { ...user, login, provider: account.provider, created_user: created, at })
    const counted = await updateLogin(trx, user, { provider: account.provider, at })
    return { user: counted, created, recorded_at: at.toISOString() }
  })
}

/** Logins of one account take turns: by its user's row, or before there is one by the account itself. */
async function lockHolderOrAccount(trx: Knex.Transaction, site: number, account: Account) {
  const holder = await lockHolder(trx, site, account)
  if (holder !== undefined) return holder
  await lockAccounts(trx, site, [account])
  for (;;) {
    const found = await lockHolder(trx, site, account)
    // A user that was merged while we waited for it is not found, but the link is there: it is another user's by then.
    if (found !== undefined || !(await anyLinked(trx, site, [account]))) return found
  }
}
