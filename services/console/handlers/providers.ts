import { because, type providerProcedures } from '#admin-api'
import type { ProviderSettings } from '#contracts'
import type { Actor, Runs } from './procedure.ts'
import { conflict, inWords, siteOf } from './site-of.ts'

export const providers = {
  async listProviderSettings(name, deps, { call }) {
    const { site } = await siteOf(name, deps, call)
    return deps.provider_auth.listProviderSettings({ site }, call)
  },

  async readProviderSettings({ provider, ...name }, deps, { call }) {
    const { site } = await siteOf(name, deps, call)
    return deps.provider_auth.readProviderSettings({ site, provider }, call)
  },

  async saveProviderSettings({ provider, ...entered }, deps, { audit, call, expected_revision }) {
    const { site } = await siteOf(entered, deps, call)
    const before = await deps.provider_auth.readProviderSettings({ site, provider }, call)
    const saved = await deps.provider_auth.changeProviderSettings(
      { ...entered, site, provider, expected_revision },
      call,
    )
    const { client_secret } = entered
    audit(before.revision === 0 ? null : whatPeopleEnter(before), {
      ...whatPeopleEnter(saved),
      // Masked: that it was changed is told, not to what.
      ...(client_secret === undefined ? {} : { client_secret }),
    })
    return saved
  },

  async beginTestLogin({ provider, ...name }, deps, actor) {
    const { site } = await siteOf(name, deps, actor.call)
    actor.audit(null, { provider })
    return inWords(deps.provider_auth.beginTestLogin({ site, provider, by: whoIs(actor) }, actor.call), {
      provider_settings_incomplete: conflict(because('settings_incomplete')),
    })
  },

  async readTestLogin({ provider, state, ...name }, deps, actor) {
    const { site } = await siteOf(name, deps, actor.call)
    return deps.provider_auth.readTestLogin({ site, provider, state, by: whoIs(actor) }, actor.call)
  },
} satisfies Runs<keyof typeof providerProcedures>

function whoIs({ member_id, token_id }: Actor): string {
  return member_id === undefined ? `token ${token_id}` : `member ${member_id}`
}

function whatPeopleEnter(settings: ProviderSettings) {
  const { provider, client_id, options, official_account, enabled, client_secret_expires_at } = settings
  return { provider, client_id, options, official_account, enabled, client_secret_expires_at }
}
