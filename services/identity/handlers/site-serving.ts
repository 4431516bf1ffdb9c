import { Fault } from '#contracts'
import { passFreeze, transaction } from '#database'
import type { IdentityHandlers } from '../deps.ts'
import { commitSiteChange } from '../sites-changed.ts'
import { insertAccountIfMissing } from '../store/accounts.ts'
import { findSiteServing, insertArrivingSite, updateSiteServing } from '../store/site-serving.ts'

type Names = 'createArrivingSite' | 'changeSiteServing' | 'readSiteServing'

export const siteServingHandlers: Pick<IdentityHandlers, Names> = {
  async createArrivingSite({ account, site_id }, deps) {
    const existing = await findSiteServing(deps.knex, { account: account.account, site_id })
    if (existing !== undefined) {
      if (existing.serving !== 'arriving') throw new Fault('already_exists')
      return { site: existing.site }
    }
    await transaction(deps.knex, (trx) => insertAccountIfMissing(trx, account))
    const site = await commitSiteChange(deps, (trx, revision) =>
      insertArrivingSite(trx, { account: account.account, site_id, revision }),
    )
    return { site }
  },

  async changeSiteServing(change, deps) {
    await commitSiteChange(deps, async (trx, revision) => {
      await passFreeze(trx)
      await updateSiteServing(trx, { ...change, revision })
    })
    return {}
  },

  async readSiteServing(names, { knex }) {
    const row = await findSiteServing(knex, names)
    if (row === undefined) throw new Fault('entity_not_found')
    return row
  },
}
