import type { Knex } from 'knex'
import type { Call } from '#bus'
import { transaction } from '#database'
import type { Deps } from '../deps.ts'
import { enqueueLeaving } from '../leaving/enqueue.ts'
import type { Login } from '../providers/provider.ts'
import { upsertCredential } from '../store/credentials.ts'
import type { Brought } from '../store/heirs.ts'
import type { ProviderSettings } from '../store/provider-settings.ts'
import { enqueueTellings, type Telling, tellFollowers } from './followers.ts'

/** What a provider told of a user's account. */
export interface Supplied {
  readonly login: string
  readonly settings: ProviderSettings
  readonly identifier: string
  readonly told: Login
  /** As identity says. */
  readonly recorded_at: string
}

/**
 * Keeps what a provider supplied: in one transaction the credential, what the application gets for it, and what other
 * services are to be told; then tells them.
 *
 * @param issue stores what the application gets
 */
export async function keep(
  { login, settings: { site, provider }, identifier, told, recorded_at }: Supplied,
  issue: (trx: Knex.Transaction, brought: Brought) => Promise<void>,
  deps: Deps,
  call: Call,
): Promise<void> {
  const tellings = tellingsOf(told, { site, identifier, provider, obtained_at: recorded_at })
  const brought = { site, identifier, provider, recorded_at: new Date(recorded_at) }
  await transaction(deps.knex, async (trx) => {
    const credential = { ...brought, ...told.credential, provider_user_id: told.provider_user_id }
    await enqueueLeaving(trx, deps, await upsertCredential(trx, deps.sealer, credential))
    await issue(trx, brought)
    await enqueueTellings(trx, deps, login, tellings)
  })
  await tellFollowers(deps, login, tellings, call)
}

function tellingsOf(
  { data, friendship_status }: Login,
  {
    provider,
    ...seen
  }: { site: number; identifier: string; provider: ProviderSettings['provider']; obtained_at: string },
): Telling[] {
  const provider_data: Telling = { what: 'provider_data', input: { ...seen, provider, data } }
  return friendship_status === undefined
    ? [provider_data]
    : [provider_data, { what: 'friend_status', input: { ...seen, friendship_status } }]
}
