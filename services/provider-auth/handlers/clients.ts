import { Fault } from '#contracts'
import { transaction } from '#database'
import { hashSecret, newToken } from '#runtime'
import { fetchCallbackRules, requireAllowedRedirectUris } from '../callback-rules.ts'
import type { ProviderAuthHandlers } from '../deps.ts'
import { findRejectedFields } from '../domain/client-rules.ts'
import { tokenPrefixes } from '../domain/token-prefixes.ts'
import { deleteClient, insertClient, listSiteClients, lockClient, updateClient } from '../store/clients.ts'

export const listClients: ProviderAuthHandlers['listClients'] = async (site, { knex }) => ({
  clients: await listSiteClients(knex, site),
})

export const readClient: ProviderAuthHandlers['readClient'] = async (name, { knex }) => {
  const [client] = await listSiteClients(knex, name)
  if (client === undefined) throw new Fault('entity_not_found')
  return client
}

export const registerClient: ProviderAuthHandlers['registerClient'] = async ({ existing, ...input }, deps, call) => {
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

export const changeClient: ProviderAuthHandlers['changeClient'] = async (
  { site, client_id, expected_revision, ...changes },
  deps,
  call,
) => {
  const { redirect_uris, post_logout_redirect_uris } = changes
  const addresses = { redirect_uris, post_logout_redirect_uris }
  const rules = (redirect_uris ?? post_logout_redirect_uris) && (await fetchCallbackRules(site, deps, call))
  return transaction(deps.knex, async (trx) => {
    const before = await lockClient(trx, { site, client_id })
    if (before === undefined) throw new Fault('entity_not_found')
    if (before.revision !== expected_revision) throw new Fault('changed_meanwhile')
    const rejected = findRejectedFields({
      kind: before.kind,
      pkce: changes.pkce ?? before.pkce,
      redirect_uris: redirect_uris ?? [],
      post_logout_redirect_uris: post_logout_redirect_uris ?? [],
    })
    if (rejected.length > 0) throw new Fault('invalid_parameter', { fields: rejected })
    if (rules) await requireAllowedRedirectUris(trx, addresses, rules)
    await updateClient(trx, client_id, changes)
    const after = await lockClient(trx, { site, client_id })
    return after ?? before
  })
}

export const removeClient: ProviderAuthHandlers['removeClient'] = async (name, { knex }) => {
  if (!(await deleteClient(knex, name))) throw new Fault('entity_not_found')
  return {}
}
