import type { Handler } from '#bus'
import type { providerAuth } from '#contracts'
import { transaction } from '#database'
import type { Deps } from '../deps.ts'
import { removeAssociationsOfUser } from '../store/association-tokens.ts'
import { removeCodesOfProviders } from '../store/authorization-codes.ts'
import { removeCredentialsOfProviders } from '../store/credentials.ts'
import { removeOneTimeTokensOfProviders } from '../store/one-time-tokens.ts'

type Procedure = (typeof providerAuth.procedures)['removeProviders']

/** The time is told in whole seconds, so what was given within that second is taken for given before. */
const resolution_ms = 1_000

export const removeProviders: Handler<Procedure, Deps> = async ({ providers, unlinked_at, ...user }, { knex }) => {
  const before = new Date(Date.parse(unlinked_at) + resolution_ms)
  await transaction(knex, async (trx) => {
    await removeCredentialsOfProviders(trx, user, { providers, before })
    await removeCodesOfProviders(trx, user, { providers, before })
    await removeOneTimeTokensOfProviders(trx, user, { providers, before })
    await removeAssociationsOfUser(trx, user, before)
  })
  return {}
}
