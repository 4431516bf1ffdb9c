import { Fault } from '#contracts'
import { runCommand, storeEvents } from '#database'
import type { IdentityHandlers } from '../deps.ts'
import { isSameProvider } from '../domain/provider-accounts.ts'
import { linkedEvents } from '../domain/user-events.ts'
import { enqueueEndUserAction } from '../enqueue-end-user-action.ts'
import { readClock } from '../store/clock.ts'
import { findLink, insertLinks, isAnyLinked, listLinks, lockAccounts } from '../store/links.ts'
import { findUserRow, lockUser, toUser } from '../store/users.ts'

export const linkAccount: IdentityHandlers['linkAccount'] = async (
  { site, identifier, command, age_ms, ...account },
  deps,
  call,
) =>
  runCommand(
    deps.knex,
    { site, command },
    async (trx) => {
      // Locks accounts before users, in the same order as a first login.
      await lockAccounts(trx, site, [account])
      const user = await lockUser(trx, { site, identifier })
      if (user === undefined) throw new Fault('entity_not_found')
      if (user.block !== undefined) throw new Fault('user_blocked')
      const at = await readClock(trx, age_ms)
      const recordedAt = at.toISOString()

      const links = await listLinks(trx, { site, identifier })
      const sameProvider = links.filter(({ provider }) => isSameProvider(provider, account.provider))
      if (sameProvider.some((link) => link.provider_user_id !== account.provider_user_id))
        throw new Fault('provider_already_linked')
      const existing = sameProvider.find(({ provider }) => provider === account.provider)
      if (existing !== undefined) return { user, link: existing, recorded_at: recordedAt }
      if (sameProvider.length === 0 && (await isAnyLinked(trx, site, [account]))) throw new Fault('invalid_parameter')
      const [link] = await insertLinks(trx, { site, identifier }, [account], at)
      if (link === undefined) throw new Error('The insert returned no link.')
      const action = { action: 'linkOwnAccount', details: { provider: account.provider } } as const
      await enqueueEndUserAction(trx, { site, identifier, time: at }, action, deps, call)
      await storeEvents(trx, linkedEvents({ ...user, site, time: at }, [account.provider]))
      return { user, link, recorded_at: recordedAt }
    },
    async (trx) => {
      const linked = await findLink(trx, site, account)
      // After a merge, the link belongs to another user.
      const user = linked && (await findUserRow(trx, { site, identifier: linked.identifier }))
      if (linked === undefined || user === undefined) throw new Fault('entity_not_found')
      // Not later than the first answer: data of a later login is newer.
      return { user: toUser(user), link: linked.link, recorded_at: linked.created_at.toISOString() }
    },
  )
