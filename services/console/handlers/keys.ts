import { createReason, type keyProcedures } from '#admin-api'
import type { AdminHandlers } from './admin-handler.ts'
import { readKeyUsage, unusedKey } from './key-usage.ts'
import { resolveSite, toConflict, translateFaults } from './resolve-site.ts'

export const keyHandlers = {
  async listApiKeys(name, deps, { call }) {
    const { site } = await resolveSite(name, deps, call)
    const [{ keys }, usage] = await Promise.all([deps.identity.listApiKeys({ site }, call), readKeyUsage(site, deps)])
    return { keys: keys.map((key) => ({ ...key, ...(usage.get(key.api_key_id) ?? unusedKey) })) }
  },

  async issueApiKey({ name, ...siteName }, deps, { audit, call }) {
    const { site } = await resolveSite(siteName, deps, call)
    const issued = await translateFaults(deps.identity.issueApiKey({ site, name }, call), {
      invalid_parameter: toConflict(createReason('two_keys_active')),
    })
    audit(null, { api_key_id: issued.api_key_id, name })
    return issued
  },

  async enterApiKey({ name, api_key, ...siteName }, deps, { audit, call }) {
    const { site } = await resolveSite(siteName, deps, call)
    const entered = await translateFaults(deps.identity.enterApiKey({ site, name, api_key }, call), {
      invalid_parameter: toConflict(createReason('two_keys_active')),
      already_exists: toConflict(createReason('api_key_known')),
    })
    audit(null, { api_key_id: entered.api_key_id, name, brought_along: true })
    return entered
  },

  async revokeApiKey({ api_key_id, ...siteName }, deps, { audit, call }) {
    const { site } = await resolveSite(siteName, deps, call)
    const { keys } = await deps.identity.listApiKeys({ site }, call)
    await deps.identity.revokeApiKey({ site, api_key_id }, call)
    audit(
      keys.find((key) => key.api_key_id === api_key_id),
      null,
    )
    return {}
  },
} satisfies AdminHandlers<keyof typeof keyProcedures>
