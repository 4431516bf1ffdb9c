import { Fault } from '#contracts'
import { runCommand } from '#database'
import type { IdentityHandlers } from '../deps.ts'
import { isSameProvider } from '../domain/provider-accounts.ts'
import { readClock } from '../store/clock.ts'
import { findLink, insertLinks, isAnyLinked, listLinks, lockAccounts } from '../store/links.ts'
import { lockUser } from '../store/users.ts'

export const linkAccount: IdentityHandlers['linkAccount'] = async (
  { site, identifier, command, ...account },
  { knex },
) =>
  runCommand(
    knex,
    { command },
    async (trx) => {
      const user = { site, identifier }
      // Locks accounts before users, in the same order as a first login.
      await lockAccounts(trx, site, [account])
      if ((await lockUser(trx, user)) === undefined) throw new Fault('entity_not_found')
      const at = await readClock(trx)
      const recordedAt = at.toISOString()

      const links = await listLinks(trx, user)
      const sameProvider = links.filter(({ provider }) => isSameProvider(provider, account.provider))
      if (sameProvider.some((link) => link.provider_user_id !== account.provider_user_id))
        throw new Fault('provider_already_linked')
      const existing = sameProvider.find(({ provider }) => provider === account.provider)
      if (existing !== undefined) return { link: existing, recorded_at: recordedAt }
      if (sameProvider.length === 0 && (await isAnyLinked(trx, site, [account]))) throw new Fault('invalid_parameter')
      const [link] = await insertLinks(trx, user, [account], at)
      if (link === undefined) throw new Error('The insert returned no link.')
      return { link, recorded_at: recordedAt }
    },
    async (trx) => {
      const linked = await findLink(trx, site, account)
      if (linked === undefined) throw new Fault('entity_not_found')
      // Not later than the first answer: data of a later login is newer.
      return { link: linked.link, recorded_at: linked.created_at.toISOString() }
    },
  )
