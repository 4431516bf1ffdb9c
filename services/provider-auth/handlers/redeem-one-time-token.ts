import type { Handler } from '#bus'
import { Fault, type providerAuthContract } from '#contracts'
import type { Deps } from '../deps.ts'
import { consumeOneTimeToken, findOneTimeToken } from '../store/one-time-tokens.ts'

type Procedure = (typeof providerAuthContract.procedures)['redeemOneTimeToken']

export const redeemOneTimeToken: Handler<Procedure, Deps> = async ({ preserve, ...input }, { knex }) => {
  const identifier = await (preserve ? findOneTimeToken : consumeOneTimeToken)(knex, input)
  if (identifier === undefined) throw new Fault('invalid_authentication_token')
  return { identifier }
}
