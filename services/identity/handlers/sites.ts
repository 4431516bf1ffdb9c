import { Fault } from '#contracts'
import { passFreeze } from '#database'
import type { IdentityHandlers } from '../deps.ts'
import { commitSiteChange } from '../sites-changed.ts'
import { findAccount } from '../store/accounts.ts'
import { markSiteClosed } from '../store/closed-sites.ts'
import { findNewestRevision } from '../store/site-revisions.ts'
import { findSiteByNumber, findSiteDetails, searchSites, selectSites, selectSitesOfAccount } from '../store/sites.ts'

export const listSitesOfAccount: IdentityHandlers['listSitesOfAccount'] = async ({ account }, { knex }) => {
  const [found, sites] = await Promise.all([findAccount(knex, account), selectSitesOfAccount(knex, account)])
  if (found === undefined) throw new Fault('entity_not_found')
  return { sites }
}

export const findSites: IdentityHandlers['findSites'] = async (searched, { knex }) => {
  return { sites: await searchSites(knex, searched) }
}

export const readSite: IdentityHandlers['readSite'] = async (names, { knex }) => {
  const site = await findSiteDetails(knex, names)
  if (site === undefined) throw new Fault('entity_not_found')
  return site
}

export const readCallbackRules: IdentityHandlers['readCallbackRules'] = async ({ site }, { knex }) => {
  const row = await findSiteByNumber(knex, site)
  if (row === undefined) throw new Fault('entity_not_found')
  const { kind, domains, revision } = row
  return { kind, domains, revision }
}

export const readCompatibility: IdentityHandlers['readCompatibility'] = async ({ site }, { knex }) => {
  const row = await findSiteByNumber(knex, site)
  if (row === undefined) throw new Fault('entity_not_found')
  return { compatibility: row.compatibility }
}

export const listSites: IdentityHandlers['listSites'] = async (after, { knex }) => {
  // Read before the sites, because all changes up to this revision are then committed.
  const revision = await findNewestRevision(knex)
  return { sites: await selectSites(knex, after), revision }
}

export const closeSite: IdentityHandlers['closeSite'] = async ({ site }, deps) => {
  await commitSiteChange(deps, async (trx, revision) => {
    // Also of a site that moved to another cell.
    await passFreeze(trx)
    await markSiteClosed(trx, site, revision)
  })
  return {}
}
