import { Fault, limits } from '#contracts'
import { newToken, toTimestamp } from '#runtime'
import type { ProviderAuthHandlers } from '../deps.ts'
import { tokenPrefixes } from '../domain/token-prefixes.ts'
import { findTestLogin, insertTestLogin } from '../store/test-logins.ts'

export const beginTestLogin: ProviderAuthHandlers['beginTestLogin'] = async ({ site, provider, by }, deps) => {
  const settings = await deps.siteSettings.findProviderSettings({ site, provider })
  if (!settings?.enabled) throw new Fault('provider_settings_incomplete')
  const state = newToken(tokenPrefixes.test_login)
  await insertTestLogin(deps, state, { site, provider, by, outcome: { outcome: 'waiting' } })
  return { state, expires_at: toTimestamp(Date.now() + limits.pending_login_seconds * 1_000) }
}

export const readTestLogin: ProviderAuthHandlers['readTestLogin'] = async ({ state, ...input }, deps) => {
  const testLogin = await findTestLogin(deps, state)
  const isOwn = testLogin?.site === input.site && testLogin.provider === input.provider && testLogin.by === input.by
  if (!isOwn) throw new Fault('entity_not_found')
  return testLogin.outcome
}
