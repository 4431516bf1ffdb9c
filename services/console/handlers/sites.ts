import { type AdminSite, type adminSiteProcedures, createReason, operatorOnlyFields } from '#admin-api'
import { limits, type SiteDetails } from '#contracts'
import { compileAddresses } from '#http'
import { AdminFault } from '../admin-fault.ts'
import { hasRoleInAccount, listVisibleSites } from '../domain/roles.ts'
import type { Actor, AdminHandlers } from './admin-handler.ts'
import { rejectBlockedCallers, rejectOpenBlocks } from './allowed-addresses.ts'
import { listCallers } from './key-usage.ts'
import { resolveAccount } from './resolve-account.ts'
import { resolveSite, toConflict, translateFaults } from './resolve-site.ts'

export const siteHandlers = {
  async listAccounts(_, { identity }, actor) {
    const { accounts } = await identity.listAccounts({}, actor.call)
    return { accounts: accounts.filter(({ account }) => actor.operator || hasRoleInAccount(actor, account)) }
  },

  async createAccount(account, { identity }, { audit, call }) {
    const created = await translateFaults(identity.createAccount(account, call), {
      already_exists: toConflict(createReason('account_exists')),
    })
    audit(null, created)
    return created
  },

  async readAccount({ account }, deps, { call }) {
    return resolveAccount(account, deps, call)
  },

  async changeAccount(account, deps, { audit, call, expected_revision }) {
    const before = await resolveAccount(account.account, deps, call)
    const changed = await deps.identity.changeAccount({ ...account, expected_revision }, call)
    audit(before, changed)
    return changed
  },

  async findSites({ q }, { identity }, { operator, roles, site_roles, provider_accounts, call }) {
    const accounts = operator ? null : [...roles.keys()].filter((account) => !provider_accounts.has(account))
    const single = [...site_roles]
      .filter(([account]) => !provider_accounts.has(account))
      .flatMap(([account, inSites]) => Object.keys(inSites).map((siteId) => ({ account, site_id: siteId })))
    const { sites } = await identity.findSites({ q, accounts, sites: single, limit: limits.found_sites }, call)
    return { sites: sites.map(toAdminSite) }
  },

  async listSites({ account }, { identity }, actor) {
    const { sites } = await identity.listSitesOfAccount({ account }, actor.call)
    const visible = listVisibleSites(actor, account)
    return { sites: sites.filter(({ site_id }) => visible?.includes(site_id) ?? true).map(toAdminSite) }
  },

  async createSite({ confirm = [], ...site }, { identity }, actor) {
    rejectOpenBlocks(site.allowed_addresses ?? [], [], confirm)
    const defaults = { requests_per_window: limits.requests_per_window, fixed_address_option: false }
    rejectOperatorOnlyChanges(defaults, site, actor)
    const created = await translateFaults(identity.createSite(site, actor.call), {
      already_exists: toConflict(createReason('site_exists')),
    })
    actor.audit(null, toAdminSite(created))
    return toAdminSite(created)
  },

  async readSite(name, deps, { call }) {
    return toAdminSite(await resolveSite(name, deps, call))
  },

  async changeSite({ account, site_id, confirm = [], ...changes }, deps, actor) {
    const { call, expected_revision } = actor
    const before = await resolveSite({ account, site_id }, deps, call)
    rejectOperatorOnlyChanges(before, changes, actor)
    const { allowed_addresses } = changes
    if (allowed_addresses !== undefined) {
      rejectOpenBlocks(allowed_addresses, before.allowed_addresses, confirm)
      await rejectBlockedCallers(before, allowed_addresses, confirm, deps)
    }
    const changed = await deps.identity.changeSite({ ...changes, site: before.site, expected_revision }, call)
    actor.audit(toAdminSite(before), toAdminSite(changed))
    return toAdminSite(changed)
  },

  async readFieldDeletion(name, deps, { call }) {
    const { site } = await resolveSite(name, deps, call)
    const { deletion } = await deps.profile.readDeletionProgress({ site }, call)
    if (deletion === null) return { deletion: null }
    return { deletion: { started_at: deletion.started_at, users_checked: deletion.users_processed } }
  },

  async previewAllowedAddresses({ allowed_addresses, ...name }, deps, { address, call }) {
    const { site, allowed_addresses: inForce } = await resolveSite(name, deps, call)
    const { callers, unattributed_calls } = await listCallers(site, deps)
    const [isAllowed, isAllowedNow] = [compileAddresses(allowed_addresses), compileAddresses(inForce)]
    return {
      your_address: address,
      your_address_allowed: isAllowed(address),
      calls: callers.reduce((sum, { calls }) => sum + calls, unattributed_calls),
      unattributed_calls,
      blocked: callers
        .filter(({ address }) => !isAllowed(address))
        .map((caller) => ({ ...caller, allowed_now: isAllowedNow(caller.address) })),
    }
  },
} satisfies AdminHandlers<keyof typeof adminSiteProcedures>

/** Removes the site's internal number. */
function toAdminSite({ site: _, ...settings }: SiteDetails): AdminSite {
  return settings
}

/** Only operators can change these fields; other members can send the current values. */
function rejectOperatorOnlyChanges(
  before: Pick<SiteDetails, (typeof operatorOnlyFields)[number]>,
  changes: { readonly [K in (typeof operatorOnlyFields)[number]]?: SiteDetails[K] | undefined },
  { operator }: Actor,
): void {
  if (operator) return
  const field = operatorOnlyFields.find((name) => changes[name] !== undefined && changes[name] !== before[name])
  if (field === undefined) return
  throw new AdminFault('not_allowed', { field, reason: createReason('operator_only_field') })
}
