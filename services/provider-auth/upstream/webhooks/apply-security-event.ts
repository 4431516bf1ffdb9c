import type { Call } from '#bus'
import { loginProviderDescriptions } from '#contracts'
import { deriveUuid } from '#runtime'
import type { Deps } from '../../deps.ts'
import type { SecurityEvent } from '../../domain/provider-event.ts'
import type { SiteProviderSettings } from '../../domain/provider-settings.ts'
import { findCredentials } from '../../store/credentials.ts'

/** Who made a block, as the console shows it. No other provider sends these events. */
const by = loginProviderDescriptions.search.displayName.en

interface AccountHolder {
  readonly identifier: string
  readonly link_id: string
}

/**
 * Applies an event about the security of an account. Someone else may be logged in with it, so the user's sessions and tokens
 * end. With the option `disabled_accounts` of the settings, the user of a disabled account is blocked, also from other
 * providers, until the provider enables the account or a member unblocks the user. Blocks by others stay as they are.
 *
 * @throws Fault `unavailable` if the event may have been applied only partly; applying it again is safe
 */
export async function applySecurityEvent(
  event: SecurityEvent,
  { identifier, link_id }: AccountHolder,
  { site, options }: SiteProviderSettings,
  deps: Deps,
  call: Call,
): Promise<'applied' | 'outdated'> {
  const { kind, occurred_at, id, reason } = event
  const user = { site, identifier }
  const toCommand = (step: string) => deriveUuid(`${step} by event ${id} of ${link_id}`)
  if (kind === 'account_enabled') {
    await deps.identity.unblockUser({ ...user, only_by: by, command: toCommand('unblock') }, call)
    return 'applied'
  }
  const [credential] = await findCredentials(deps.reader, { site, link_ids: [link_id] })
  if (credential !== undefined && credential.recorded_at > occurred_at) return 'outdated'
  await deps.identity.endUserSessions({ ...user, command: toCommand('end sessions') }, call)
  if (kind === 'account_disabled' && options.disabled_accounts === 'block') {
    const block = { until: null, reason: describeReason(reason), by, keeps_block: true }
    await deps.identity.blockUser({ ...user, ...block, command: toCommand('block') }, call)
  }
  return 'applied'
}

function describeReason(reason: SecurityEvent['reason']): string {
  const cause = { hijacking: ', because someone else took it over', 'bulk-account': ', because a program uses it' }
  return `The login provider disabled the account${reason === undefined ? '' : cause[reason]}.`
}
