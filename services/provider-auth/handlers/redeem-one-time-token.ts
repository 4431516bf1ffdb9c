import { Fault } from '#contracts'
import type { ProviderAuthHandlers } from '../deps.ts'
import { consumeOneTimeToken, findOneTimeToken } from '../store/one-time-tokens.ts'

export const redeemOneTimeToken: ProviderAuthHandlers['redeemOneTimeToken'] = async (
  { preserve, ...input },
  { knex },
) => {
  const login = await (preserve ? findOneTimeToken : consumeOneTimeToken)(knex, input)
  if (login === undefined) throw new Fault('invalid_authentication_token')
  return { identifier: login.identifier, recorded_at: login.recorded_at.toISOString() }
}
