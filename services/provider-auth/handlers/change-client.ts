import type { Handler } from '#bus'
import { Fault, type providerAuthContract } from '#contracts'
import { transaction } from '#database'
import { fetchCallbackRules, requireAllowedRedirectUris } from '../callback-rules.ts'
import type { Deps } from '../deps.ts'
import { findRejectedFields } from '../domain/client-rules.ts'
import { lockClient, updateClient } from '../store/clients.ts'

type Procedure = (typeof providerAuthContract.procedures)['changeClient']

export const changeClient: Handler<Procedure, Deps> = async (
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
