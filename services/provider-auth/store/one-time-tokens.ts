import type { Knex } from 'knex'
import { limits, type Provider } from '#contracts'
import { hashSecret } from '#runtime'
import { lockRemembered, type User } from './forgotten-users.ts'

/** What a login by way of the site's own pages ended in, until the customer's server asks who it was. */
export interface OneTimeToken extends User {
  readonly provider: Provider
  readonly token: string
}

/** Keeps a token by its hash. Of a forgotten user nothing is kept, so that the token is an invalid one. */
export async function insertOneTimeToken(
  trx: Knex.Transaction,
  { site, identifier, provider, token }: OneTimeToken,
): Promise<void> {
  const user = await lockRemembered(trx, { site, identifier })
  if (user === undefined) return
  await trx('one_time_tokens').insert({
    ...user,
    provider,
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

/** Removes what logins with the providers ended in before a time. */
export async function removeOneTimeTokensOfProviders(
  trx: Knex.Transaction,
  { site, identifier }: User,
  { providers, before }: { readonly providers: readonly Provider[]; readonly before: Date },
): Promise<void> {
  await trx('one_time_tokens')
    .where({ site, identifier })
    .whereIn('provider', providers)
    .where('issued_at', '<', before)
    .delete()
}

export async function removeOutdatedOneTimeTokens(knex: Knex): Promise<void> {
  await knex('one_time_tokens').where('expires_at', '<', knex.fn.now()).delete()
}
