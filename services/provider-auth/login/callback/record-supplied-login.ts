import type { Knex } from 'knex'
import type { Call } from '#bus'
import { Fault, type User } from '#contracts'
import { transaction } from '#database'
import type { Deps } from '../../deps.ts'
import { enqueueProviderRevocation } from '../../upstream/revocation/enqueue.ts'
import { enqueueLoginJob, removeLoginJob } from './login-job.ts'
import type { SuppliedLogin } from './supplied-login.ts'

/** A login or link as identity recorded it. */
export interface IdentityLogin {
  readonly user: User
  readonly link_id: string
  readonly recorded_at: string
  /** Whether the login created the user. */
  readonly created: boolean
}

/**
 * Records a login, or links the account, in identity. Before that, what the provider supplied is stored with a job, which
 * completes the login if it is interrupted: this process ends, or a service is unavailable.
 *
 * @param consume deletes what permits the login, in the transaction that stores the job
 * @throws Fault of identity
 */
export async function recordSuppliedLogin(
  supplied: SuppliedLogin,
  deps: Deps,
  call: Call,
  consume?: (trx: Knex.Transaction) => Promise<void>,
): Promise<IdentityLogin> {
  if (consume === undefined) await enqueueLoginJob(deps.knex, supplied, deps)
  else
    await transaction(deps.knex, async (trx) => {
      await consume(trx)
      await enqueueLoginJob(trx, supplied, deps)
    })
  return recordAtIdentity(supplied, deps, call)
}

/**
 * Asks identity to record a login or to link the account. A repeat has the same result, by the login's ID. If identity
 * rejects it, the job is removed and, unless the user is blocked, the tokens are revoked at the provider.
 *
 * @param ageMs how long ago the provider supplied the login, if it is recorded late
 * @throws Fault of identity
 */
export async function recordAtIdentity(
  supplied: SuppliedLogin,
  deps: Deps,
  call: Call,
  ageMs?: number,
): Promise<IdentityLogin> {
  const { login, site, provider, provider_user_id, link_to, existing_users_only } = supplied
  const account = { site, provider, provider_user_id, age_ms: ageMs }
  try {
    if (link_to === null)
      return await deps.identity.recordLogin({ ...account, login, create_user: !existing_users_only }, call)
    const linking = { ...account, identifier: link_to, command: login }
    const { user, link, recorded_at } = await deps.identity.linkAccount(linking, call)
    return { user, link_id: link.link_id, recorded_at, created: false }
  } catch (error) {
    if (isRejection(error)) await discardLogin(supplied, deps, { revokes: !isBlocked(error) })
    throw error
  }
}

/** Whether identity rejected the login, rather than failed: it would reject a repeat as well. */
export function isRejection(error: unknown): boolean {
  return error instanceof Fault && error.fault !== 'unavailable'
}

/** The stored tokens of a blocked user stay valid; some providers would revoke them together with those of this login. */
function isBlocked(error: unknown): boolean {
  return error instanceof Fault && error.fault === 'user_blocked'
}

/** Ends a login that is not recorded: its job is removed, and its tokens are revoked at the provider. */
export async function discardLogin(
  supplied: SuppliedLogin,
  deps: Deps,
  { revokes = true }: { readonly revokes?: boolean } = {},
): Promise<void> {
  await transaction(deps.knex, async (trx) => {
    await removeLoginJob(trx, supplied)
    if (revokes) await revokeSuppliedTokens(trx, supplied, deps)
  })
}

/** Revokes the tokens of a login at the provider. Those of an app stay: it is still logged in there. */
export async function revokeSuppliedTokens(
  trx: Knex.Transaction,
  { credential, from_app, site, provider, provider_user_id }: SuppliedLogin,
  deps: Deps,
): Promise<void> {
  if (credential === null || from_app) return
  await enqueueProviderRevocation(trx, deps, [{ site, provider, provider_user_id, ...credential }])
}
