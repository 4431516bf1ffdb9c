import { createReason, type providerProcedures } from '#admin-api'
import { loadCatalog } from '#catalog'
import type { ProviderSettings } from '#contracts'
import type { ServedProcedure } from '../served-procedures.ts'
import type { Actor, AdminHandlers } from './admin-handler.ts'
import { resolveSite, toConflict, translateFaults } from './resolve-site.ts'

const catalog = loadCatalog()

export const providerHandlers = {
  async saveProviderSettings({ provider, ...input }, deps, { audit, call, expected_revision }) {
    const { site } = await resolveSite(input, deps, call)
    const before = await deps.provider_auth.readProviderSettings({ site, provider }, call)
    const saved = await deps.provider_auth.changeProviderSettings({ ...input, site, provider, expected_revision }, call)
    const { client_secret } = input
    audit(before.revision === 0 ? null : pickSettings(before), {
      ...pickSettings(saved),
      // The value is masked; the entry shows only that it changed.
      ...(client_secret === undefined ? {} : { client_secret }),
    })
    return saved
  },

  async removeProviderSettings({ provider, ...name }, deps, { audit, call, expected_revision }) {
    const { site } = await resolveSite(name, deps, call)
    const before = await deps.provider_auth.readProviderSettings({ site, provider }, call)
    audit(pickSettings(before), null)
    return translateFaults(deps.provider_auth.removeProviderSettings({ site, provider, expected_revision }, call), {
      already_exists: toConflict(createReason('provider_in_use')),
    })
  },

  async listProviderCatalog() {
    const providers = catalog.map(({ name, definition, console, documentation, quirks }) => ({
      name,
      definition,
      console,
      documentation,
      quirks,
    }))
    return Promise.resolve({ providers })
  },

  async previewProviderProfile({ definition, claims, provider: _, ...name }, deps, { call }) {
    await resolveSite(name, deps, call)
    return deps.provider_auth.previewProfile({ definition, claims }, call)
  },

  async startTestLogin({ provider, ...name }, deps, actor) {
    const { site } = await resolveSite(name, deps, actor.call)
    actor.audit(null, { provider })
    return translateFaults(deps.provider_auth.beginTestLogin({ site, provider, by: getActorId(actor) }, actor.call), {
      provider_settings_incomplete: toConflict(createReason('settings_incomplete')),
    })
  },

  async readTestLogin({ provider, state, ...name }, deps, actor) {
    const { site } = await resolveSite(name, deps, actor.call)
    return deps.provider_auth.readTestLogin({ site, provider, state, by: getActorId(actor) }, actor.call)
  },
} satisfies AdminHandlers<Exclude<keyof typeof providerProcedures, ServedProcedure>>

function getActorId({ member_id, token_id }: Actor): string {
  return member_id === undefined ? `token ${token_id}` : `member ${member_id}`
}

function pickSettings(settings: ProviderSettings) {
  const { provider, definition, client_id, options, official_account, enabled, client_secret_expires_at } = settings
  const built = { provider, client_id, options, official_account, enabled, client_secret_expires_at }
  return definition === null ? built : { ...built, definition }
}
