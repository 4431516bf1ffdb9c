import type { Handler } from '#bus'
import { Fault, type providerAuthContract } from '#contracts'
import { transaction } from '#database'
import { hashSecret, newToken } from '#runtime'
import { fetchCallbackRules, requireAllowedRedirectUris } from '../callback-rules.ts'
import type { Deps } from '../deps.ts'
import { findRejectedFields } from '../domain/client-rules.ts'
import { tokenPrefixes } from '../domain/token-prefixes.ts'
import { insertClient, lockClient } from '../store/clients.ts'

type Procedure = (typeof providerAuthContract.procedures)['registerClient']

export const registerClient: Handler<Procedure, Deps> = async ({ existing, ...input }, deps, call) => {
  const { site, kind, redirect_uris, post_logout_redirect_uris } = input
  const addresses = { redirect_uris, post_logout_redirect_uris }
  const pkce = input.pkce ?? (kind === 'public' ? 'required' : 'optional')
  const rejected = findRejectedFields({ kind, pkce, ...addresses })
  if (rejected.length > 0) throw new Fault('invalid_parameter', { fields: rejected })
  const rules = await fetchCallbackRules(site, deps, call)
  if (existing !== undefined && (existing.client_secret === null) !== (kind === 'public'))
    throw new Fault('invalid_parameter')
  const clientId = existing?.client_id ?? newToken(tokenPrefixes.client_id, 16)
  const newSecret = kind === 'public' ? null : newToken(tokenPrefixes.client_secret)
  const clientSecret = existing === undefined ? newSecret : existing.client_secret
  const client = await transaction(deps.knex, async (trx) => {
    await requireAllowedRedirectUris(trx, addresses, rules)
    const row = { ...input, client_id: clientId, pkce, redirect_uris: [...new Set(redirect_uris)] }
    await insertClient(trx, row, clientSecret === null ? [] : [hashSecret(clientSecret)])
    return lockClient(trx, { site, client_id: clientId })
  })
  if (client === undefined) throw new Error('The registered client was not found.')
  return { client_id: clientId, client_secret: existing === undefined ? clientSecret : null, client }
}
