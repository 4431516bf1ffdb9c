import type { Handler } from '#bus'
import type { providerAuth } from '#contracts'
import { transaction } from '#database'
import type { Deps } from '../deps.ts'
import { enqueueLeaving } from '../leaving/enqueue.ts'
import { removeAssociationsOfUser } from '../store/association-tokens.ts'
import { removeCodesOfUser } from '../store/authorization-codes.ts'
import { removeCredentials } from '../store/credentials.ts'
import { insertForgottenUser } from '../store/forgotten-users.ts'
import { removeOneTimeTokensOfUser } from '../store/one-time-tokens.ts'
import { removeUnlinkedProviders } from '../store/unlinked-providers.ts'

type Procedure = (typeof providerAuth.procedures)['forgetUser']

export const forgetUser: Handler<Procedure, Deps> = async (user, deps) => {
  await transaction(deps.knex, async (trx) => {
    await insertForgottenUser(trx, user)
    await enqueueLeaving(trx, deps, await removeCredentials(trx, user))
    await removeCodesOfUser(trx, user)
    await removeOneTimeTokensOfUser(trx, user)
    await removeAssociationsOfUser(trx, user)
    await removeUnlinkedProviders(trx, user)
  })
  return {}
}
