import type { Call } from '#bus'
import { Fault, type RejectedField } from '#contracts'
import type { Deps } from './deps.ts'
import { findSiteByNumber, type SiteChanges } from './store/sites.ts'

/**
 * Prepares a change of a site's kind or domains: provider-auth checks the registered redirect URIs, and from then on new
 * ones, against the new rules. If the change is not committed, nothing needs to be undone.
 *
 * @returns the revision that the site must still have when the change commits; undefined if the rules do not change
 * @throws Fault `invalid_parameter` with the redirect URIs that violate the new rules
 */
export async function prepareCallbackRuleChange(
  change: Pick<SiteChanges, 'kind' | 'domains'> & { site: number; expected_revision: number | undefined },
  { knex, provider_auth }: Pick<Deps, 'knex' | 'provider_auth'>,
  call: Call,
): Promise<number | undefined> {
  const { site, expected_revision } = change
  if (change.kind === undefined && change.domains === undefined) return undefined
  const before = await findSiteByNumber(knex, site)
  if (before === undefined) throw new Fault('entity_not_found')
  const { kind = before.kind, domains = before.domains } = change
  if (kind === before.kind && domains.join() === before.domains.join()) return undefined
  if (expected_revision !== undefined && expected_revision !== before.revision) throw new Fault('changed_meanwhile')
  const prepared = { site, expected_revision: before.revision, kind, domains }
  const { rejected } = await provider_auth.prepareCallbackRules(prepared, call)
  if (rejected.length > 0) throw new Fault('invalid_parameter', { fields: rejected.map(toRejectedField) })
  return before.revision
}

type RejectedAddress = Awaited<ReturnType<Deps['provider_auth']['prepareCallbackRules']>>['rejected'][number]

function toRejectedField({ client, redirect_uri, reason }: RejectedAddress): RejectedField {
  if (reason === 'not_https') {
    const says = `cannot be production: the client ${client} has the callback address ${redirect_uri}, which is not https`
    return { field: 'kind', reason: says }
  }
  const says = `must include the host of the callback address ${redirect_uri} of the client ${client}`
  return { field: 'domains', reason: says }
}
