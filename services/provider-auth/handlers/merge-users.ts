import type { Handler } from '#bus'
import type { providerAuth } from '#contracts'
import { transaction } from '#database'
import type { Deps } from '../deps.ts'
import { removeAssociationsOfUser } from '../store/association-tokens.ts'
import { removeCodesOfUser } from '../store/authorization-codes.ts'
import { moveCredentials, removeCredentials } from '../store/credentials.ts'
import { insertForgottenUser, lockRemembered } from '../store/forgotten-users.ts'
import { removeOneTimeTokensOfUser } from '../store/one-time-tokens.ts'

type Procedure = (typeof providerAuth.procedures)['mergeUsers']

/** The destination may have been merged or deleted by the time this is heard of; the credentials go where it went. */
export const mergeUsers: Handler<Procedure, Deps> = async ({ site, ...merged }, { knex, sealer }) => {
  const source = { site, identifier: merged.source }
  await transaction(knex, async (trx) => {
    await insertForgottenUser(trx, source, { merged_into: merged.destination })
    const destination = await lockRemembered(trx, source)
    if (destination === undefined) await removeCredentials(trx, source)
    else await moveCredentials(trx, sealer, source, destination)
    await removeCodesOfUser(trx, source)
    await removeOneTimeTokensOfUser(trx, source)
    await removeAssociationsOfUser(trx, source)
  })
  return {}
}
