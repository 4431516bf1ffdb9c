import { messagingPermissions } from '#contracts'
import { registerAtSimulator, type SeededSite, type SharedStack } from '#testing'

/** Approves permissions of LINE Profile+ for a site's channel, and selects them in its provider settings. */
export async function approveProfilePlus(
  { provider_auth, simulator, call }: SharedStack,
  { site, account, site_id, providers }: SeededSite,
  permissions: readonly string[] = messagingPermissions,
): Promise<void> {
  const { client_id, client_secret, provider_callback } = providers.messaging
  const registration = { provider: 'messaging', client_id, client_secret, official_account: true } as const
  await registerAtSimulator(simulator, { ...registration, redirect_uris: [provider_callback], permissions })
  const settings = {
    site,
    account,
    site_id,
    client_id,
    client_secret,
    provider: 'messaging',
    official_account: true,
  } as const
  await provider_auth.saveProviderSettings({ ...settings, options: { permissions: permissions.join(',') } }, call())
}
