import type { Call } from '#bus'
import { Fault } from '#contracts'
import { lockLinks, transaction, upsertDeletedLinkData } from '#database'
import type { Deps } from '../deps.ts'
import type { ProviderSettings } from '../domain/provider-settings.ts'
import { findCredentials } from '../store/credentials.ts'
import { deleteLinkData } from '../store/link-data.ts'
import type { ProviderEvent } from './provider-event.ts'

/** `outdated`: the person has logged in since. `acknowledged`: there was nothing to do. */
export type EventOutcome = 'applied' | 'unknown_user' | 'outdated' | 'acknowledged'

/**
 * Does what a verified notice asks for. What came of logins before it goes in any case: the credential, whose tokens are dead,
 * and codes and tokens of ours. Beyond that
 *
 * - consent revoked: the link stays, for the account is still the person's and opens the same user at the next login;
 * - data deletion: what the provider supplied for the profile goes as well;
 * - account deleted: the link ends as by `dissociate`, also when it is the last one. Nobody can log in with it again, and the
 *   user, who is the company's, is still there to be found and linked anew.
 *
 * @throws Fault `unavailable` when it may have been done in part only; it may be done again
 */
export async function applyProviderEvent(
  event: ProviderEvent,
  { site, provider }: Pick<ProviderSettings, 'site' | 'provider'>,
  deps: Deps,
  call: Call,
): Promise<EventOutcome> {
  if (event.kind === 'other') return 'acknowledged'
  const { kind, provider_user_id, occurred_at } = event
  const { holder } = await deps.identity.findAccountHolder({ site, provider, provider_user_id }, call)
  if (holder === null) return 'unknown_user'
  const { identifier, link_id } = holder
  // A provider whose clock is fast must not reach logins to come.
  const until = new Date(Math.min(occurred_at.getTime(), Date.now()))

  const hasLoggedInAgain = await transaction(deps.knex, async (trx) => {
    await lockLinks(trx, [link_id])
    await upsertDeletedLinkData(trx, [link_id], until)
    // The provider ended them itself, so it is not left once more.
    await deleteLinkData(trx, [link_id], until)
    const [remaining] = await findCredentials(trx, [link_id])
    return remaining !== undefined
  })
  if (kind === 'data_deletion')
    await deps.profile.deleteProviderData({ link_id, obtained_until: until.toISOString() }, call)
  if (hasLoggedInAgain) return 'outdated'
  if (kind === 'account_deleted') {
    const unlink = { site, identifier, providers: [provider], nowarn: true, nomerge: false }
    await deps.identity.unlinkProviders(unlink, call).catch(ignoreCompleted)
  }
  return 'applied'
}

/** Unlinked already, the user gone meanwhile, or unlinked with the profile rebuilt later. */
function ignoreCompleted(error: unknown): void {
  const done: readonly Fault['fault'][] = ['provider_not_linked', 'entity_not_found', 'operation_failed']
  if (!(error instanceof Fault) || !done.includes(error.fault)) throw error
}
