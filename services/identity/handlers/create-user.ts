import { Fault } from '#contracts'
import { runCommand } from '#database'
import { newIdentifier } from '#runtime'
import type { IdentityHandlers } from '../deps.ts'
import { createdEvent } from '../domain/user-events.ts'
import { insertLinks, isAnyLinked, lockAccounts } from '../store/links.ts'
import { findUser } from '../store/user-lookup.ts'
import { insertUser, insertUserOnce } from '../store/users.ts'

export const createUser: IdentityHandlers['createUser'] = async ({ site, primary_key, links, ...input }, { knex }) => {
  const createdAt = new Date()
  const identifier = newIdentifier(createdAt.getTime())
  const user = { site, identifier, primary_key: primary_key ?? null, created_at: createdAt }
  const providers = links.map(({ provider }) => provider)
  const event = createdEvent({ ...user, time: createdAt }, 'web_api', providers)
  const command = { site, command: input.command, created: identifier }
  if (links.length === 0) {
    const created = await insertUserOnce(knex, user, event, command).catch(ignoreFault)
    if (created !== undefined) return { user: created, links: [] }
    // Nothing was written: the command is stored already, or it is rejected. The transaction below repeats or rejects it.
  }
  return runCommand(
    knex,
    command,
    async (trx) => {
      if (links.length > 0) {
        await lockAccounts(trx, site, links)
        if (await isAnyLinked(trx, site, links)) throw new Fault('invalid_parameter')
      }
      const created = await insertUser(trx, user, event)
      const inserted = links.length === 0 ? [] : await insertLinks(trx, { site, identifier }, links, createdAt)
      return { user: created, links: inserted }
    },
    async (trx, createdBefore) => {
      const before =
        createdBefore === null ? undefined : await findUser(trx, { site, by: 'identifier', id: createdBefore })
      // The user was deleted meanwhile: a repeat must not create another one.
      if (before === undefined) throw new Fault('entity_not_found')
      return before
    },
  )
}

function ignoreFault(error: unknown): undefined {
  if (!(error instanceof Fault)) throw error
}
