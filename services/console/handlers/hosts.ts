import { type adminHostProcedures, createReason } from '#admin-api'
import type { Call } from '#bus'
import type { SiteHosts } from '#contracts'
import type { Deps } from '../deps.ts'
import type { ServedProcedure } from '../served-procedures.ts'
import type { AdminHandlers } from './admin-handler.ts'
import { resolveSite, toConflict, translateFaults } from './resolve-site.ts'

export const hostHandlers = {
  async addHost({ host, purpose, ...name }, deps, { audit, call }) {
    const site = await namesOf(name, deps, call)
    audit(null, { host, purpose })
    return translateFaults(deps.provider_auth.addHost({ ...site, host, purpose }, call), toHostConflict)
  },

  async checkHost({ host, ...name }, deps, { audit, call }) {
    const site = await namesOf(name, deps, call)
    const hosts = await translateFaults(deps.provider_auth.checkHost({ ...site, host }, call), toHostConflict)
    audit(null, { host, state: stateOf(hosts, host) })
    return hosts
  },

  async removeHost({ host, ...name }, deps, { audit, call }) {
    const site = await namesOf(name, deps, call)
    audit({ host }, null)
    return deps.provider_auth.removeHost({ ...site, host }, call)
  },

  async changeSharedHost({ shared_host, ...name }, deps, { audit, call, expected_revision }) {
    const site = await namesOf(name, deps, call)
    audit({ shared_host: !shared_host }, { shared_host })
    return deps.provider_auth.changeSharedHost({ ...site, shared_host, expected_revision }, call)
  },
} satisfies AdminHandlers<Exclude<keyof typeof adminHostProcedures, ServedProcedure>>

const toHostConflict = { already_exists: toConflict(createReason('host_of_another_site')) }

async function namesOf(name: { readonly account: string; readonly site_id: string }, deps: Deps, call: Call) {
  const { site, account, site_id } = await resolveSite(name, deps, call)
  return { site, account, site_id }
}

function stateOf({ hosts }: SiteHosts, host: string): string | undefined {
  return hosts.find((one) => one.host === host)?.state
}
