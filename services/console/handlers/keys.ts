import { because, type keyProcedures } from '#admin-api'
import { keyUsage, unused } from './key-usage.ts'
import type { Runs } from './procedure.ts'
import { conflict, inWords, siteOf } from './site-of.ts'

export const keys = {
  async listApiKeys(name, deps, { call }) {
    const { site } = await siteOf(name, deps, call)
    const [{ keys }, usage] = await Promise.all([deps.identity.listApiKeys({ site }, call), keyUsage(site, deps)])
    return { keys: keys.map((key) => ({ ...key, ...(usage.get(key.api_key_id) ?? unused) })) }
  },

  async issueApiKey({ name, ...siteName }, deps, { audit, call }) {
    const { site } = await siteOf(siteName, deps, call)
    const issued = await inWords(deps.identity.issueApiKey({ site, name }, call), {
      invalid_parameter: conflict(because('two_keys_live')),
    })
    audit(null, { api_key_id: issued.api_key_id, name })
    return issued
  },

  async revokeApiKey({ api_key_id, ...siteName }, deps, { audit, call }) {
    const { site } = await siteOf(siteName, deps, call)
    const { keys } = await deps.identity.listApiKeys({ site }, call)
    await deps.identity.revokeApiKey({ site, api_key_id }, call)
    audit(
      keys.find((key) => key.api_key_id === api_key_id),
      null,
    )
    return {}
  },
} satisfies Runs<keyof typeof keyProcedures>
