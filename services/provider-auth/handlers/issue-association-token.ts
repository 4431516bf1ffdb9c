import type { Handler } from '#bus'
import { Fault, type providerAuth } from '#contracts'
import { newToken, toTimestamp } from '#runtime'
import { associateUri } from '../addresses.ts'
import type { Deps } from '../deps.ts'
import { tokenPrefixes } from '../domain/token-prefixes.ts'
import { upsertAssociationToken } from '../store/association-tokens.ts'
import { findProviderSettings } from '../store/provider-settings.ts'

type Procedure = (typeof providerAuth.procedures)['issueAssociationToken']

/** 192 random bits, so that with its prefix the token has 37 of the 40 characters it may have. */
const tokenBytes = 24

export const issueAssociationToken: Handler<Procedure, Deps> = async (wanted, deps) => {
  const { site, provider } = wanted
  const settings = await findProviderSettings(deps, { site, provider })
  if (!settings?.enabled) throw new Fault('provider_settings_incomplete')
  const token = newToken(tokenPrefixes.association_token, tokenBytes)
  const expiresAt = await upsertAssociationToken(deps.knex, { ...wanted, token })
  return { token, expired_at: toTimestamp(expiresAt), authenticate_uri: associateUri(deps, settings, token) }
}
