import type { Handler } from '#bus'
import type { providerAuth } from '#contracts'
import { transaction } from '#database'
import type { Deps } from '../deps.ts'
import { enqueueLeaving } from '../leaving/enqueue.ts'
import { removeAssociationsOfUser } from '../store/association-tokens.ts'
import { removeCodesOfUser } from '../store/authorization-codes.ts'
import { moveCredentials } from '../store/credentials.ts'
import { insertForgottenUser } from '../store/forgotten-users.ts'
import { removeOneTimeTokensOfUser } from '../store/one-time-tokens.ts'

type Procedure = (typeof providerAuth.procedures)['mergeUsers']

/** The destination may have been merged or deleted by the time this is heard of: the credentials go where it went. */
export const mergeUsers: Handler<Procedure, Deps> = async (merge, deps) => {
  const { site, source, destination, providers } = merge
  const user = { site, identifier: source }
  const merged = { merged_into: destination, merged_at: new Date(merge.merged_at), merged_providers: providers }
  await transaction(deps.knex, async (trx) => {
    await insertForgottenUser(trx, user, merged)
    await enqueueLeaving(trx, deps, await moveCredentials(trx, deps.sealer, user))
    await removeCodesOfUser(trx, user)
    await removeOneTimeTokensOfUser(trx, user)
    await removeAssociationsOfUser(trx, user)
  })
  return {}
}
