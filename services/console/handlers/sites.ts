import { type AdminSite, type adminSiteProcedures, because, operatorOnlyFields } from '#admin-api'
import { limits, type SiteDetails } from '#contracts'
import { compileAddresses } from '#http'
import { accountOf } from './account-of.ts'
import { AdminFault } from './admin-fault.ts'
import { refuseBlockedCallers, refuseEverybody } from './allowed-addresses.ts'
import { callersOf } from './key-usage.ts'
import type { Actor, Runs } from './procedure.ts'
import { conflict, inWords, siteOf } from './site-of.ts'

export const sites = {
  async listAccounts(_, { identity }, { operator, roles, call }) {
    const { accounts } = await identity.listAccounts({}, call)
    return { accounts: accounts.filter(({ account }) => operator || roles.has(account)) }
  },

  async createAccount(account, { identity }, { audit, call }) {
    const created = await inWords(identity.createAccount(account, call), {
      already_exists: conflict(because('account_exists')),
    })
    audit(null, created)
    return created
  },

  async readAccount({ account }, deps, { call }) {
    return accountOf(account, deps, call)
  },

  async changeAccount(account, deps, { audit, call, expected_revision }) {
    const before = await accountOf(account.account, deps, call)
    const changed = await deps.identity.changeAccount({ ...account, expected_revision }, call)
    audit(before, changed)
    return changed
  },

  async listSites({ account }, { identity }, { call }) {
    const { sites } = await identity.listSitesOfAccount({ account }, call)
    return { sites: sites.map(tell) }
  },

  async createSite({ confirm = [], ...site }, { identity }, actor) {
    refuseEverybody(site.allowed_addresses ?? [], [], confirm)
    const usual = { requests_per_window: limits.requests_per_window, fixed_address_option: false }
    refuseWhatIsContracted(usual, site, actor)
    const created = await inWords(identity.createSite(site, actor.call), {
      already_exists: conflict(because('site_exists')),
    })
    actor.audit(null, tell(created))
    return tell(created)
  },

  async readSite(name, deps, { call }) {
    return tell(await siteOf(name, deps, call))
  },

  async changeSite({ account, site_id, confirm = [], ...changes }, deps, actor) {
    const { call, expected_revision } = actor
    const before = await siteOf({ account, site_id }, deps, call)
    refuseWhatIsContracted(before, changes, actor)
    const { allowed_addresses } = changes
    if (allowed_addresses !== undefined) {
      refuseEverybody(allowed_addresses, before.allowed_addresses, confirm)
      await refuseBlockedCallers(before, allowed_addresses, confirm, deps)
    }
    const changed = await deps.identity.changeSite({ ...changes, site: before.site, expected_revision }, call)
    actor.audit(tell(before), tell(changed))
    return tell(changed)
  },

  async readProfileClearing(name, deps, { call }) {
    const { site } = await siteOf(name, deps, call)
    const { deletion } = await deps.profile.readDeletionProgress({ site }, call)
    if (deletion === null) return { clearing: null }
    return { clearing: { begun_at: deletion.started_at, users_looked_at: deletion.users_processed } }
  },

  async rehearseAllowedAddresses({ allowed_addresses, ...name }, deps, { address, call }) {
    const { site, allowed_addresses: inForce } = await siteOf(name, deps, call)
    const { callers, calls_unknown } = await callersOf(site, deps)
    const [isAllowed, isAllowedNow] = [compileAddresses(allowed_addresses), compileAddresses(inForce)]
    return {
      your_address: address,
      your_address_allowed: isAllowed(address),
      calls: callers.reduce((sum, { calls }) => sum + calls, calls_unknown),
      calls_unknown,
      refused: callers
        .filter(({ address }) => !isAllowed(address))
        .map((caller) => ({ ...caller, allowed_now: isAllowedNow(caller.address) })),
    }
  },
} satisfies Runs<keyof typeof adminSiteProcedures>

/** Between services a site has a number, which is nobody else's business. */
function tell({ site: _, ...told }: SiteDetails): AdminSite {
  return told
}

/** What a site pays for is changed by operators; others may send it as it is. */
function refuseWhatIsContracted(
  before: Pick<SiteDetails, (typeof operatorOnlyFields)[number]>,
  wanted: { readonly [K in (typeof operatorOnlyFields)[number]]?: SiteDetails[K] | undefined },
  { operator }: Actor,
): void {
  if (operator) return
  const field = operatorOnlyFields.find((name) => wanted[name] !== undefined && wanted[name] !== before[name])
  if (field === undefined) return
  throw new AdminFault('not_allowed', { field, reason: because('contracted') })
}
