import { runCommand, upsertDeletedLinkData } from '#database'
import type { ProfileHandlers } from '../deps.ts'
import { discardedUntil, removeLinkData } from '../remove-link-data.ts'
import { lockSettingsAndLinks } from '../store/lock-links.ts'
import { noData, updateProfile } from '../store/profiles.ts'

export const deleteProfile: ProfileHandlers['deleteProfile'] = async (
  { prohibit, link_ids, command, ...user },
  deps,
) => {
  const now = new Date()
  const { site, identifier } = user
  await runCommand(
    deps.knex,
    { site, command },
    async (trx) => {
      await lockSettingsAndLinks(trx, site, link_ids)
      await upsertDeletedLinkData(trx, site, link_ids, discardedUntil(now))
      // After a merge, the links can belong to another user.
      const removal = { obtained_until: 'infinity', combineAt: now, except: identifier, user: identifier } as const
      const locked = await removeLinkData(trx, deps, site, link_ids, removal)
      const stored = locked.find((one) => one.identifier === identifier)
      if (stored === undefined || stored.deleted) return
      await updateProfile(trx, deps, stored, { ...noData, prohibited: stored.prohibited || prohibit })
    },
    () => {},
  )
  return {}
}
