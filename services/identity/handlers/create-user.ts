import { Fault } from '#contracts'
import { transaction } from '#database'
import { newIdentifier } from '#runtime'
import type { IdentityHandlers } from '../deps.ts'
import { anyLinked, insertLinks, lockAccounts } from '../store/links.ts'
import { insertUser } from '../store/users.ts'

export const createUser: IdentityHandlers['createUser'] = async ({ site, primary_key, links }, { knex }) => {
  const created_at = new Date()
  const identifier = newIdentifier(created_at.getTime())
  return transaction(knex, async (trx) => {
    if (links.length > 0) {
      await lockAccounts(trx, site, links)
      if (await anyLinked(trx, site, links)) throw new Fault('invalid_parameter')
    }
    const user = await insertUser(trx, { site, identifier, primary_key: primary_key ?? null, created_at })
    return { user, links: links.length === 0 ? [] : await insertLinks(trx, { site, identifier }, links, created_at) }
  })
}
