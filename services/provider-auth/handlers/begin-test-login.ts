import type { Handler } from '#bus'
import { Fault, limits, type providerAuthContract } from '#contracts'
import { newToken, toTimestamp } from '#runtime'
import type { Deps } from '../deps.ts'
import { tokenPrefixes } from '../domain/token-prefixes.ts'
import { insertTestLogin } from '../store/test-logins.ts'

type Procedure = (typeof providerAuthContract.procedures)['beginTestLogin']

export const beginTestLogin: Handler<Procedure, Deps> = async ({ site, provider, by }, deps) => {
  const settings = await deps.siteSettings.findProviderSettings({ site, provider })
  if (!settings?.enabled) throw new Fault('provider_settings_incomplete')
  const state = newToken(tokenPrefixes.test_login)
  await insertTestLogin(deps, state, { site, provider, by, outcome: { outcome: 'waiting' } })
  return { state, expires_at: toTimestamp(Date.now() + limits.pending_login_seconds * 1_000) }
}
