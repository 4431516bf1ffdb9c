import type { Knex } from 'knex'
import { limits } from '#contracts'
import { hashSecret } from '#runtime'
import type { User } from './forgotten-users.ts'
import { type Brought, lockHeir } from './heirs.ts'
import type { Unlinking } from './unlinked-providers.ts'

/** What a login by way of the site's own pages ended in, until the customer's server asks who it was. */
export interface OneTimeToken extends Brought {
  readonly token: string
}

/** Keeps a token by its hash. What is not to be kept any more (`lockHeir`) is not, so that the token is an invalid one. */
export async function insertOneTimeToken(trx: Knex.Transaction, { token, ...login }: OneTimeToken): Promise<void> {
  const heir = await lockHeir(trx, login)
  if (heir === undefined) return
  await trx('one_time_tokens').insert({
    ...heir,
    token_hash: hashSecret(token),
    expires_at: trx.raw('now() + make_interval(secs => ?)', [limits.one_time_token_seconds]),
  })
}

/** Uses a token up and answers its user, to one caller alone; undefined when it is not one of the site that lives. */
export async function removeOneTimeToken(
  knex: Knex,
  { site, token }: Pick<OneTimeToken, 'site' | 'token'>,
): Promise<string | undefined> {
  const [row] = await knex('one_time_tokens')
    .where({ site, token_hash: hashSecret(token) })
    .where('expires_at', '>', knex.fn.now())
    .delete()
    .returning<{ identifier: string }[]>('identifier')
  return row?.identifier
}

export async function removeOneTimeTokensOfUser(trx: Knex.Transaction, { site, identifier }: User): Promise<void> {
  await trx('one_time_tokens').where({ site, identifier }).delete()
}

/** Removes what logins ended in before their provider was unlinked. */
export async function removeUnlinkedOneTimeTokens(
  trx: Knex.Transaction,
  { site, identifier }: User,
  { providers, unlinked_at }: Unlinking,
): Promise<void> {
  await trx('one_time_tokens')
    .where({ site, identifier })
    .whereIn('provider', providers)
    .where('recorded_at', '<=', unlinked_at)
    .delete()
}

export async function removeOutdatedOneTimeTokens(knex: Knex): Promise<void> {
  await knex('one_time_tokens').where('expires_at', '<', knex.fn.now()).delete()
}
