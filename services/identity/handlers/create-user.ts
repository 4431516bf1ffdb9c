import { Fault } from '#contracts'
import { transaction } from '#database'
import { newIdentifier } from '#runtime'
import type { IdentityHandlers } from '../deps.ts'
import { insertLinks, isAnyLinked, lockAccounts } from '../store/links.ts'
import { lockCreatedUser, updateCreatedUser } from '../store/stored-responses.ts'
import { lookUpUsers } from '../store/user-lookup.ts'
import { insertUser } from '../store/users.ts'

export const createUser: IdentityHandlers['createUser'] = async ({ site, primary_key, links, command }, { knex }) => {
  const createdAt = new Date()
  const identifier = newIdentifier(createdAt.getTime())
  return transaction(knex, async (trx) => {
    const createdBefore = command && (await lockCreatedUser(trx, site, command))
    const [before] = createdBefore ? await lookUpUsers(trx, [{ site, by: 'identifier', id: createdBefore }]) : []
    if (before !== undefined) return before
    // The user of this command was deleted meanwhile: a repeat must not create another one.
    if (createdBefore) throw new Fault('entity_not_found')
    if (links.length > 0) {
      await lockAccounts(trx, site, links)
      if (await isAnyLinked(trx, site, links)) throw new Fault('invalid_parameter')
    }
    const user = await insertUser(trx, { site, identifier, primary_key: primary_key ?? null, created_at: createdAt })
    if (command) await updateCreatedUser(trx, site, command, identifier)
    return { user, links: links.length === 0 ? [] : await insertLinks(trx, { site, identifier }, links, createdAt) }
  })
}
