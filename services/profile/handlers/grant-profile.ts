import { lockLinks, runCommand, upsertDeletedLinkData } from '#database'
import type { ProfileHandlers } from '../deps.ts'
import { discardedUntil } from '../remove-link-data.ts'
import { lockProfile, updateProfile } from '../store/profiles.ts'

export const grantProfile: ProfileHandlers['grantProfile'] = async ({ link_ids, command, ...user }, { knex }) => {
  const now = new Date()
  await runCommand(
    knex,
    { site: user.site, command },
    async (trx) => {
      await lockLinks(trx, link_ids)
      const stored = await lockProfile(trx, user)
      if (!stored.prohibited) return
      // Data that was supplied before must not be stored if it arrives late.
      await upsertDeletedLinkData(trx, user.site, link_ids, discardedUntil(now))
      await updateProfile(trx, stored, { prohibited: false })
    },
    () => {},
  )
  return {}
}
