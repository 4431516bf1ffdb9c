import { remainingMs } from '#bus'
import { Fault } from '#contracts'
import type { ProviderAuthHandlers } from '../deps.ts'
import { findCredentials } from '../store/credentials.ts'
import { decryptCredential } from '../store/encrypted-credentials.ts'
import { builtInKey } from '../upstream/providers/index.ts'

/** How long the provider may take, and how much of the caller's deadline is left for the response. Our choice. */
const providerTimeoutMs = 3_000
const responseMarginMs = 300

export const fetchFriendshipStatus: ProviderAuthHandlers['fetchFriendshipStatus'] = async (
  { site, link_id },
  deps,
  call,
) => {
  const provider = 'messaging'
  const [settings, [stored]] = await Promise.all([
    deps.siteSettings.findProviderSettings({ site, provider }),
    findCredentials(deps.reader, { site, link_ids: [link_id] }),
  ])
  if (!stored?.access_token) throw new Fault('provider_not_linked')
  const fetchStatus = deps.findProviderClient(builtInKey(provider))?.fetchFriendshipStatus
  if (!settings?.enabled || !settings.official_account || fetchStatus === undefined)
    throw new Fault('provider_settings_incomplete')
  const { access_token } = await decryptCredential(deps.encryptor, await deps.refreshIfExpired(stored, call))
  if (access_token === null) throw new Fault('provider_not_linked')
  return fetchStatus(access_token, Math.max(1, Math.min(providerTimeoutMs, remainingMs(call) - responseMarginMs)))
}
