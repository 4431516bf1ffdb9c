import type { Handler } from '#bus'
import type { providerAuth } from '#contracts'
import { transaction } from '#database'
import type { Deps } from '../deps.ts'
import { enqueueLeaving } from '../leaving/enqueue.ts'
import { removeAssociationsOfUser } from '../store/association-tokens.ts'
import { removeUnlinkedCodes } from '../store/authorization-codes.ts'
import { removeUnlinkedCredentials } from '../store/credentials.ts'
import { lockUser } from '../store/forgotten-users.ts'
import { removeUnlinkedOneTimeTokens } from '../store/one-time-tokens.ts'
import { upsertUnlinkedProviders } from '../store/unlinked-providers.ts'

type Procedure = (typeof providerAuth.procedures)['removeProviders']

/** Of a user who was merged since only what arrives late is concerned: the merge left behind what was unlinked. */
export const removeProviders: Handler<Procedure, Deps> = async ({ providers, ...unlinked }, deps) => {
  const { site, identifier } = unlinked
  const user = { site, identifier }
  const unlinking = { providers, unlinked_at: new Date(unlinked.unlinked_at) }
  await transaction(deps.knex, async (trx) => {
    await lockUser(trx, user)
    await upsertUnlinkedProviders(trx, user, unlinking)
    await enqueueLeaving(trx, deps, await removeUnlinkedCredentials(trx, user, unlinking))
    await removeUnlinkedCodes(trx, user, unlinking)
    await removeUnlinkedOneTimeTokens(trx, user, unlinking)
    await removeAssociationsOfUser(trx, user, unlinking.unlinked_at)
  })
  return {}
}
