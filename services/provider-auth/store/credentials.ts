import type { Knex } from 'knex'
import type { Provider } from '#contracts'
import type { Sealer } from '#runtime'
import type { User } from './forgotten-users.ts'
import { lockHeir } from './heirs.ts'
import {
  type AbandonedCredential,
  type GivenCredential,
  isRefreshTokenDamaged,
  type Owner,
  openUndamaged,
  type SealedCredential,
  sealTokens,
} from './sealed-credentials.ts'
import type { Unlinking } from './unlinked-providers.ts'

/**
 * Keeps the newest tokens of a user's provider. A refresh token that was given before stays when none came this time, as
 * some providers give it at the first consent only; a damaged one is removed. What is not to be kept any more (`lockHeir`)
 * is not.
 *
 * @returns what is nobody's any more: the credential given, or one of another account that it replaced
 */
export async function upsertCredential(
  trx: Knex.Transaction,
  sealer: Sealer,
  credential: GivenCredential,
): Promise<readonly AbandonedCredential[]> {
  const heir = await lockHeir(trx, credential)
  if (heir === undefined) return [credential]
  const { provider_user_id, expires_at } = credential
  const stored = await lockCredential(trx, heir)
  const tokens = { ...sealTokens(sealer, credential, heir), expires_at }
  const damaged = tokens.refresh_token === null && stored !== undefined && (await isRefreshTokenDamaged(sealer, stored))
  const kept: unknown[] = await trx('credentials')
    .insert({ ...heir, ...tokens, provider_user_id })
    .onConflict(['site', 'identifier', 'provider'])
    .merge({
      ...tokens,
      // A token of another account is none of this one's.
      refresh_token: damaged
        ? null
        : trx.raw(
            `coalesce(excluded.refresh_token, case
               when credentials.provider_user_id <> excluded.provider_user_id then null
               else credentials.refresh_token
             end)`,
          ),
      provider_user_id,
      ...newTokens(trx),
      recorded_at: heir.recorded_at,
    })
    .where('credentials.recorded_at', '<=', heir.recorded_at)
    .returning('site')
  return kept.length === 0 ? [credential] : ofOtherAccount(stored, provider_user_id)
}

/** What becomes of a row with its tokens: whatever was known of the earlier ones is over. */
export function newTokens(trx: Knex.Transaction) {
  return {
    token_set: trx.raw('gen_random_uuid()'),
    renewing_until: null,
    failed_renewals: 0,
    renew_not_before: null,
    needs_reauth_at: null,
    updated_at: trx.fn.now(),
  }
}

/** The credentials of each of the users, as they are stored. */
export async function listCredentials(
  knex: Knex,
  users: readonly User[],
): Promise<readonly (readonly SealedCredential[])[]> {
  const { rows } = await knex.raw<{ rows: (SealedCredential & { readonly place: number })[] }>(
    `select place, credentials.*
     from unnest(?::integer[], ?::text[]) with ordinality as wanted (site, identifier, place)
     join credentials using (site, identifier)`,
    [users.map(({ site }) => site), users.map(({ identifier }) => identifier)],
  )
  return users.map((_, index) => rows.filter(({ place }) => place === index + 1))
}

/** The user's credential of one provider, as it is stored. */
export async function findCredential(
  knex: Knex,
  { site, identifier, provider }: Owner,
): Promise<SealedCredential | undefined> {
  return knex('credentials').where({ site, identifier, provider }).first()
}

/**
 * Makes a merged user's credentials the heir's, sealed for their new place, unless he was given newer ones.
 *
 * @returns what is nobody's any more
 */
export async function moveCredentials(
  trx: Knex.Transaction,
  sealer: Sealer,
  { site, identifier }: User,
): Promise<readonly AbandonedCredential[]> {
  const moved: SealedCredential[] = await trx('credentials').where({ site, identifier }).delete().returning('*')
  const abandoned: AbandonedCredential[] = []
  for (const row of moved) {
    const heir = await lockHeir(trx, row)
    if (heir === undefined) {
      abandoned.push(row)
      continue
    }
    // A damaged token moves as it is: reading it stays an error until the next login replaces it.
    const moved_tokens = { ...row, ...withoutNulls(sealTokens(sealer, await openUndamaged(sealer, row), heir)) }
    const replaced = ofOtherAccount(await lockCredential(trx, heir), row.provider_user_id)
    const kept: unknown[] = await trx('credentials')
      .insert({ ...moved_tokens, ...heir })
      .onConflict(['site', 'identifier', 'provider'])
      .merge()
      .where('credentials.recorded_at', '<', heir.recorded_at)
      .returning('site')
    abandoned.push(...(kept.length === 0 ? [row] : replaced))
  }
  return abandoned
}

/** @returns what was removed */
export async function removeCredentials(
  trx: Knex.Transaction,
  { site, identifier }: User,
): Promise<readonly SealedCredential[]> {
  return trx('credentials').where({ site, identifier }).delete().returning('*')
}

/**
 * Removes what the providers gave until they were unlinked.
 *
 * @returns what was removed
 */
export async function removeUnlinkedCredentials(
  trx: Knex.Transaction,
  { site, identifier }: User,
  { providers, unlinked_at }: Unlinking,
): Promise<readonly SealedCredential[]> {
  return trx('credentials')
    .where({ site, identifier })
    .whereIn('provider', providers)
    .where('recorded_at', '<=', unlinked_at)
    .delete()
    .returning('*')
}

export async function hasCredential(trx: Knex.Transaction, { site, identifier, provider }: Owner): Promise<boolean> {
  const row: unknown = await trx('credentials').where({ site, identifier, provider }).first('site')
  return row !== undefined
}

/**
 * Whether somebody's credential is of an account at a provider, under the same client there: at the provider a consent is one,
 * however many sites share the client.
 */
export async function isAccountInUse(
  knex: Knex,
  account: { readonly provider: Provider; readonly provider_user_id: string; readonly client_id: string },
): Promise<boolean> {
  const { provider, provider_user_id, client_id } = account
  const row: unknown = await knex('credentials as c')
    .join('provider_settings as s', (join) => join.on('s.site', 'c.site').on('s.provider', 'c.provider'))
    .where({ 'c.provider': provider, 'c.provider_user_id': provider_user_id, 's.client_id': client_id })
    .first('c.site')
  return row !== undefined
}

/** The stored credential of a user's provider, locked until the transaction ends. */
async function lockCredential(
  trx: Knex.Transaction,
  { site, identifier, provider }: Owner,
): Promise<SealedCredential | undefined> {
  return trx('credentials').where({ site, identifier, provider }).forUpdate().first()
}

/** The stored credential, if it is of another account than this one. */
function ofOtherAccount(stored: SealedCredential | undefined, provider_user_id: string): SealedCredential[] {
  return stored === undefined || stored.provider_user_id === provider_user_id ? [] : [stored]
}

function withoutNulls<T extends object>(columns: T): Partial<T> {
  // The same columns, fewer of them.
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== null)) as Partial<T>
}
