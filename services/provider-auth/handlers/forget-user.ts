import type { Handler } from '#bus'
import type { providerAuth } from '#contracts'
import { transaction } from '#database'
import type { Deps } from '../deps.ts'
import { removeCodesOfUser } from '../store/authorization-codes.ts'
import { removeCredentials } from '../store/credentials.ts'
import { insertForgottenUser } from '../store/forgotten-users.ts'

type Procedure = (typeof providerAuth.procedures)['forgetUser']

export const forgetUser: Handler<Procedure, Deps> = async (user, { knex }) => {
  await transaction(knex, async (trx) => {
    await insertForgottenUser(trx, user)
    await removeCredentials(trx, user)
    await removeCodesOfUser(trx, user)
  })
  return {}
}
