import { Fault } from '#contracts'
import { newToken, toTimestamp } from '#runtime'
import type { ProviderAuthHandlers } from '../deps.ts'
import { tokenPrefixes } from '../domain/token-prefixes.ts'
import { upsertAssociationToken } from '../store/association-tokens.ts'
import { buildAssociateUri } from '../uris.ts'

/** 192 random bits: with its prefix the token has 37 of the allowed 40 characters. */
const tokenBytes = 24

export const issueAssociationToken: ProviderAuthHandlers['issueAssociationToken'] = async (
  { own_host, ...input },
  deps,
) => {
  const { site, provider } = input
  const settings = await deps.siteSettings.findProviderSettings({ site, provider })
  if (!settings?.enabled) throw new Fault('provider_settings_incomplete')
  const token = newToken(tokenPrefixes.association_token, tokenBytes)
  const expiresAt = await upsertAssociationToken(deps.knex, { ...input, token })
  const { hosts, names, auth_url: shared } = deps
  const issuers = hosts.issuersOf(settings)
  const authUrl = own_host || !issuers.includes(shared) ? issuers[0] : shared
  return {
    token,
    expired_at: toTimestamp(expiresAt),
    authenticate_uri: buildAssociateUri({ names, auth_url: authUrl }, settings, token),
  }
}
