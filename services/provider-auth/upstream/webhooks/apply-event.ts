import { randomUUID } from 'node:crypto'
import type { Call } from '#bus'
import { Fault } from '#contracts'
import { lockLinks, storeEvents, transaction, upsertDeletedLinkData } from '#database'
import type { Deps } from '../../deps.ts'
import type { ProviderEvent } from '../../domain/provider-event.ts'
import type { SiteProviderSettings } from '../../domain/provider-settings.ts'
import { findCredentials } from '../../store/credentials.ts'
import { deleteLinkData } from '../../store/link-data.ts'
import { applySecurityEvent } from './apply-security-event.ts'

/** `outdated`: the end user has logged in since. `acknowledged`: there was nothing to do. */
export type EventOutcome = 'applied' | 'unknown_user' | 'outdated' | 'acknowledged'

/**
 * Applies a verified event. `applySecurityEvent` says what events about the security of an account do. All others delete the data
 * of logins before the event: the credential, whose tokens no longer work, and the codes and tokens that we issued. In addition:
 *
 * - Consent revoked: the link stays, because the end user still owns the account and finds the same user at the next
 *   login.
 * - Data deletion: the profile data that the provider supplied is deleted too.
 * - Account deleted: the account is unlinked as by `dissociate`, even if it is the last one. It can never log in again,
 *   and the user, whose record belongs to the customer, remains and can be linked to other accounts.
 *
 * @throws Fault `unavailable` if the event may have been applied only partly; applying it again is safe
 */
export async function applyProviderEvent(
  event: ProviderEvent,
  settings: SiteProviderSettings,
  deps: Deps,
  call: Call,
): Promise<EventOutcome> {
  if (event.kind === 'other') return 'acknowledged'
  const { kind, provider_user_id, occurred_at } = event
  const { site, provider } = settings
  const { holder } = await deps.identity.findAccountHolder({ site, provider, provider_user_id }, call)
  if (holder === null) return 'unknown_user'
  if (kind === 'sessions_revoked' || kind === 'account_disabled' || kind === 'account_enabled')
    return applySecurityEvent(event, holder, settings, deps, call)
  const { identifier, link_id } = holder
  // A provider whose clock is ahead must not affect future logins.
  const until = new Date(Math.min(occurred_at.getTime(), Date.now()))

  const hasLoggedInAgain = await transaction(deps.knex, async (trx) => {
    await lockLinks(trx, [link_id])
    await upsertDeletedLinkData(trx, site, [link_id], until)
    // The provider has already revoked the tokens, so no revocation is enqueued.
    const deleted = await deleteLinkData(trx, { site, link_ids: [link_id], recorded_until: until })
    // The provider may send several events about the same loss, and each of them twice.
    if (deleted.length > 0)
      await storeEvents(trx, [
        {
          type: 'consent.revoked',
          site,
          user: { link_id, identifier },
          time: until,
          data: { provider, cause: kind },
        },
      ])
    const [remaining] = await findCredentials(trx, { site, link_ids: [link_id] })
    return remaining !== undefined
  })
  if (kind === 'data_deletion')
    await deps.profile.deleteProviderData({ site, link_id, obtained_until: until.toISOString() }, call)
  if (hasLoggedInAgain) return 'outdated'
  if (kind === 'account_deleted') {
    const providers = [provider]
    const unlink = { site, identifier, providers, nowarn: true, nomerge: false, command: randomUUID() }
    await deps.identity.unlinkProviders(unlink, call).catch(ignoreCompleted)
  }
  return 'applied'
}

/** Already unlinked, user deleted meanwhile, or unlinked with the profile recombined later. */
function ignoreCompleted(error: unknown): void {
  const done: readonly Fault['fault'][] = ['provider_not_linked', 'entity_not_found', 'operation_failed']
  if (!(error instanceof Fault) || !done.includes(error.fault)) throw error
}
