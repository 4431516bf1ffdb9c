import type { Knex } from 'knex'
import { limits } from '#contracts'
import { defineStatement, type RunStatement } from '#database'
import { hashSecret } from '#runtime'
import type { LinkLogins, LinkRecord } from '../domain/link-record.ts'
import { insertOfRecipient, siteServers } from './data-recipients.ts'

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

const isRedeemable =
  'site = $1 and token_hash = $2 and expires_at > now() and coalesce(redeemed_by, $3::uuid) = $3::uuid'
const columns = 'site, link_id, identifier, recorded_at'

/** Returns the login of a token, and records that the servers of the site received it. @param login returns `columns` */
function defineRedemption(login: string): RunStatement<RedeemedLogin> {
  return defineStatement(
    `with login as (${login}), answered as (
       select site, link_id, '${siteServers}' as client_id, '{}'::text[] as received from login
     ), recorded as (
       ${insertOfRecipient('answered')}
     )
     select identifier, recorded_at from login`,
  )
}

const redeem = defineRedemption(
  `update one_time_tokens set redeemed_by = $3 where ${isRedeemable} returning ${columns}`,
)
const preserve = defineRedemption(`select ${columns} from one_time_tokens where ${isRedeemable}`)

/** Redeems a token and returns its login, for one command only; undefined if the site has no such valid token. */
export function consumeOneTimeToken(knex: Knex, redemption: Redemption): Promise<RedeemedLogin | undefined> {
  return runRedemption(redeem, knex, redemption)
}

/** Returns the login of a token that the command could redeem, without redeeming it. */
export function findOneTimeToken(knex: Knex, redemption: Redemption): Promise<RedeemedLogin | undefined> {
  return runRedemption(preserve, knex, redemption)
}

async function runRedemption(
  run: RunStatement<RedeemedLogin>,
  knex: Knex,
  { site, token, command }: Redemption,
): Promise<RedeemedLogin | undefined> {
  return (await run(knex, [site, hashSecret(token), command])).rows[0]
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
