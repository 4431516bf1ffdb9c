import type { Knex } from 'knex'
import { limits } from '#contracts'
import { hashSecret } from '#runtime'
import type { LinkLogins, LinkRecord } from '../domain/link-record.ts'

/** A site login, until the customer's server redeems the token. */
export interface OneTimeToken extends LinkRecord {
  readonly token: string
  readonly site: number
  readonly identifier: string
}

/** Stores a token by its hash. */
export async function insertOneTimeToken(
  trx: Knex.Transaction,
  { token, link_id, site, identifier, recorded_at }: OneTimeToken,
): Promise<void> {
  await trx('one_time_tokens').insert({
    link_id,
    site,
    identifier,
    recorded_at,
    token_hash: hashSecret(token),
    expires_at: trx.raw('now() + make_interval(secs => ?)', [limits.one_time_token_seconds]),
  })
}

/** A token, and the command that redeems it. */
type Redemption = Pick<OneTimeToken, 'site' | 'token'> & { readonly command: string }

/** The user of a token, and when the login was recorded. */
type RedeemedLogin = Pick<OneTimeToken, 'identifier' | 'recorded_at'>

/** Redeems a token and returns its login, for one command only; undefined if the site has no such valid token. */
export async function consumeOneTimeToken(knex: Knex, redemption: Redemption): Promise<RedeemedLogin | undefined> {
  const [row] = await selectRedeemable(knex, redemption)
    .update({ redeemed_by: redemption.command })
    .returning<RedeemedLogin[]>(['identifier', 'recorded_at'])
  return row
}

/** Returns the login of a token that the command could redeem, without redeeming it. */
export async function findOneTimeToken(knex: Knex, redemption: Redemption): Promise<RedeemedLogin | undefined> {
  return selectRedeemable(knex, redemption).first<RedeemedLogin | undefined>('identifier', 'recorded_at')
}

function selectRedeemable(knex: Knex, { site, token, command }: Redemption): Knex.QueryBuilder {
  return knex('one_time_tokens')
    .where({ site, token_hash: hashSecret(token) })
    .where('expires_at', '>', knex.fn.now())
    .whereRaw('coalesce(redeemed_by, :command) = :command', { command })
}

export async function deleteLinkOneTimeTokens(
  trx: Knex.Transaction,
  { site, link_ids, recorded_until }: LinkLogins,
): Promise<void> {
  await trx('one_time_tokens')
    .where({ site })
    .whereIn('link_id', [...link_ids])
    .where('recorded_at', '<=', recorded_until)
    .delete()
}

export async function deleteExpiredOneTimeTokens(knex: Knex): Promise<void> {
  await knex('one_time_tokens').where('expires_at', '<', knex.fn.now()).delete()
}
