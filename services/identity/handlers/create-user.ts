import { Fault } from '#contracts'
import { runCommand } from '#database'
import { newIdentifier } from '#runtime'
import type { IdentityHandlers } from '../deps.ts'
import { insertLinks, isAnyLinked, lockAccounts } from '../store/links.ts'
import { findUser } from '../store/user-lookup.ts'
import { insertUser } from '../store/users.ts'
import { createdEvent } from '../user-events.ts'

export const createUser: IdentityHandlers['createUser'] = async ({ site, primary_key, links, command }, { knex }) => {
  const createdAt = new Date()
  const identifier = newIdentifier(createdAt.getTime())
  return runCommand(
    knex,
    { site, command, created: identifier },
    async (trx) => {
      if (links.length > 0) {
        await lockAccounts(trx, site, links)
        if (await isAnyLinked(trx, site, links)) throw new Fault('invalid_parameter')
      }
      const fields = { site, identifier, primary_key: primary_key ?? null, created_at: createdAt }
      const providers = links.map(({ provider }) => provider)
      const event = createdEvent({ ...fields, time: createdAt }, 'web_api', providers)
      const user = await insertUser(trx, fields, event)
      const inserted = links.length === 0 ? [] : await insertLinks(trx, { site, identifier }, links, createdAt)
      return { user, links: inserted }
    },
    async (trx, created) => {
      const before = created === null ? undefined : await findUser(trx, { site, by: 'identifier', id: created })
      // The user was deleted meanwhile: a repeat must not create another one.
      if (before === undefined) throw new Fault('entity_not_found')
      return before
    },
  )
}
