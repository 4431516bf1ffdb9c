import { lockLinks, runCommand, upsertDeletedLinkData } from '#database'
import type { ProfileHandlers } from '../deps.ts'
import { discardedUntil, isSameUser, removeLinkData } from '../remove-link-data.ts'
import { noData, updateProfile } from '../store/profiles.ts'

export const deleteProfile: ProfileHandlers['deleteProfile'] = async (
  { prohibit, link_ids, command, ...user },
  { knex },
) => {
  const now = new Date()
  await runCommand(
    knex,
    { command },
    async (trx) => {
      await lockLinks(trx, link_ids)
      await upsertDeletedLinkData(trx, link_ids, discardedUntil(now))
      // After a merge, the links can belong to another user.
      const locked = await removeLinkData(trx, link_ids, { obtained_until: 'infinity', combineAt: now, user })
      const stored = locked.find((one) => isSameUser(one, user))
      if (stored === undefined || stored.deleted) return
      await updateProfile(trx, user, { ...noData, prohibited: stored.prohibited || prohibit })
    },
    () => {},
  )
  return {}
}
