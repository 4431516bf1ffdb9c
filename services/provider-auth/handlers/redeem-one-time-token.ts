import type { Handler } from '#bus'
import { Fault, type providerAuthContract } from '#contracts'
import type { Deps } from '../deps.ts'
import { consumeOneTimeToken } from '../store/one-time-tokens.ts'

type Procedure = (typeof providerAuthContract.procedures)['redeemOneTimeToken']

export const redeemOneTimeToken: Handler<Procedure, Deps> = async (input, { knex }) => {
  const identifier = await consumeOneTimeToken(knex, input)
  if (identifier === undefined) throw new Fault('invalid_authentication_token')
  return { identifier }
}
