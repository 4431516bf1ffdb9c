import { clockToleranceSeconds } from '#http'
import { AdminFault } from '../admin-fault.ts'
import type { Deps } from '../deps.ts'
import { addSeconds } from '../domain/time.ts'
import type { PendingSignIn } from '../store/pending-sign-ins.ts'
import { updateConfirmed } from '../store/sessions.ts'
import type { ProviderAuthentication } from './openid-provider.ts'

/**
 * Confirms the session if the same member authenticated again after the redirect.
 *
 * @throws AdminFault `not_signed_in`, or `passkey_required` if the provider does not state that
 */
export async function confirmSession(
  { session_id, started_at }: Pick<PendingSignIn, 'started_at'> & { readonly session_id: string },
  { authenticatedAt }: ProviderAuthentication,
  memberId: string | undefined,
  { knex, now }: Pick<Deps, 'knex' | 'now'>,
): Promise<void> {
  const session = await knex('sessions')
    .where({ session_id })
    .first<{ session_id: string; member_id: string } | undefined>('session_id', 'member_id')
  if (session === undefined || session.member_id !== memberId) throw new AdminFault('not_signed_in')
  const earliest = addSeconds(started_at, -clockToleranceSeconds)
  if (authenticatedAt === undefined || authenticatedAt < earliest) throw new AdminFault('passkey_required')
  await updateConfirmed(knex, session.session_id, now())
}
