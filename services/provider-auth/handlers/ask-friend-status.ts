import { type Handler, remainingMs } from '#bus'
import { Fault, type providerAuth } from '#contracts'
import type { Deps } from '../deps.ts'
import { openCredential } from '../store/encrypted-credentials.ts'
import { findProviderSettings } from '../store/provider-settings.ts'

type Procedure = (typeof providerAuth.procedures)['askFriendStatus']

/** How long the provider may take, and what of the caller's time is left to tell the answer. Our choice. */
const askMs = 3_000
const answerMs = 300

export const askFriendStatus: Handler<Procedure, Deps> = async ({ site, link_id }, deps, call) => {
  const provider = 'messaging'
  const [settings, stored] = await Promise.all([
    findProviderSettings(deps, { site, provider }),
    deps.findCredential(link_id),
  ])
  if (!stored?.access_token) throw new Fault('provider_not_linked')
  const ask = deps.findLoginProvider(provider)?.askFriendStatus
  if (!settings?.enabled || !settings.official_account || ask === undefined)
    throw new Fault('provider_settings_incomplete')
  const { access_token } = await openCredential(deps.encryptor, await deps.freshen(stored, call))
  if (access_token === null) throw new Fault('provider_not_linked')
  return ask(access_token, Math.max(1, Math.min(askMs, remainingMs(call) - answerMs)))
}
