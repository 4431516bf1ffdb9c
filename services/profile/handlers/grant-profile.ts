import { runCommand, upsertDeletedLinkData } from '#database'
import type { ProfileHandlers } from '../deps.ts'
import { discardedUntil } from '../remove-link-data.ts'
import { lockSettingsAndLinks } from '../store/lock-links.ts'
import { lockProfile, updateProfile } from '../store/profiles.ts'

export const grantProfile: ProfileHandlers['grantProfile'] = async ({ link_ids, command, ...user }, deps) => {
  const now = new Date()
  await runCommand(
    deps.knex,
    { site: user.site, command },
    async (trx) => {
      await lockSettingsAndLinks(trx, user.site, link_ids)
      const profile = await lockProfile(trx, deps, user)
      if (!profile.prohibited) return
      // Data that was supplied before must not be stored if it arrives late.
      await upsertDeletedLinkData(trx, user.site, link_ids, discardedUntil(now))
      await updateProfile(trx, deps, profile, { prohibited: false })
    },
    () => {},
  )
  return {}
}
