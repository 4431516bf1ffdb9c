import type { Handler } from '#bus'
import { Fault, type providerAuthContract } from '#contracts'
import type { Deps } from '../deps.ts'
import { consumeOneTimeToken, findOneTimeToken } from '../store/one-time-tokens.ts'

type Procedure = (typeof providerAuthContract.procedures)['redeemOneTimeToken']

export const redeemOneTimeToken: Handler<Procedure, Deps> = async ({ preserve, ...input }, { knex }) => {
  const login = await (preserve ? findOneTimeToken : consumeOneTimeToken)(knex, input)
  if (login === undefined) throw new Fault('invalid_authentication_token')
  return { identifier: login.identifier, recorded_at: login.recorded_at.toISOString() }
}
