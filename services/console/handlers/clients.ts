import { type clientProcedures, createReason } from '#admin-api'
import { AdminFault } from '../admin-fault.ts'
import type { ServedProcedure } from '../served-procedures.ts'
import type { AdminHandlers } from './admin-handler.ts'
import { resolveSite, toConflict, translateFaults } from './resolve-site.ts'

export const clientHandlers = {
  async createClient({ account, site_id, ...client }, deps, { audit, call }) {
    const { site } = await resolveSite({ account, site_id }, deps, call)
    const created = await deps.provider_auth.registerClient({ ...client, site }, call)
    audit(null, created.client)
    return { client: created.client, client_secret: created.client_secret }
  },

  async enterClient({ account, site_id, client_id, client_secret, ...client }, deps, { audit, call }) {
    const { site } = await resolveSite({ account, site_id }, deps, call)
    if ((client_secret === undefined) !== (client.kind === 'public')) {
      const reason = client.kind === 'public' ? 'public_client_without_secret' : 'secret_missing'
      throw new AdminFault('invalid_request', { reason: createReason(reason) })
    }
    const existing = { client_id, client_secret: client_secret ?? null }
    const entered = await translateFaults(deps.provider_auth.registerClient({ ...client, site, existing }, call), {
      already_exists: toConflict(createReason('client_id_known')),
    })
    audit(null, entered.client)
    return { client: entered.client }
  },

  async removeClient({ client_id, ...name }, deps, { audit, call }) {
    const { site } = await resolveSite(name, deps, call)
    const before = await deps.provider_auth.readClient({ site, client_id }, call)
    await deps.provider_auth.removeClient({ site, client_id }, call)
    audit(before, null)
    return {}
  },

  async issueClientSecret({ client_id, ...name }, deps, { audit, call }) {
    const { site } = await resolveSite(name, deps, call)
    const { kind } = await deps.provider_auth.readClient({ site, client_id }, call)
    if (kind === 'public')
      throw new AdminFault('invalid_request', { reason: createReason('public_client_without_secret') })
    const issued = await translateFaults(deps.provider_auth.issueClientSecret({ site, client_id }, call), {
      invalid_parameter: toConflict(createReason('two_secrets_active')),
    })
    audit(null, { client_id, secret_id: issued.secret_id })
    return issued
  },

  async revokeClientSecret({ client_id, secret_id, ...name }, deps, { audit, call }) {
    const { site } = await resolveSite(name, deps, call)
    await translateFaults(deps.provider_auth.revokeClientSecret({ site, client_id, secret_id }, call), {
      invalid_parameter: toConflict(createReason('last_secret')),
    })
    audit({ client_id, secret_id }, null)
    return {}
  },
} satisfies AdminHandlers<Exclude<keyof typeof clientProcedures, ServedProcedure>>
