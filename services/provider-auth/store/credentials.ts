import type { Knex } from 'knex'
import type { Provider } from '#contracts'
import type { Place, Sealer } from '#runtime'
import type { User } from './forgotten-users.ts'
import { type Brought, lockHeir } from './heirs.ts'
import type { Unlinking } from './unlinked-providers.ts'

/** Tokens a login provider gave for a user; null where it gives none. */
export interface GivenCredential extends Brought {
  readonly access_token: string | null
  readonly access_secret: string | null
  readonly refresh_token: string | null
  readonly expires_at: Date | null
}

export interface StoredCredential extends GivenCredential {
  /** Names these very tokens, also after a merge moved them. */
  readonly token_set: string
  /** Since when it is known that nobody but the person can renew them, by a login. */
  readonly needs_reauth_at: Date | null
  /** Until when a replica has the renewal of the tokens to itself. */
  readonly renewing_until: Date | null
  /** In a row, of these tokens. */
  readonly failed_renewals: number
  /** After a renewal that failed, when the next may be tried. */
  readonly renew_not_before: Date | null
  readonly created_at: Date
  readonly updated_at: Date
}

const sealedColumns = ['access_token', 'access_secret', 'refresh_token'] as const
type SealedColumn = (typeof sealedColumns)[number]

/**
 * Keeps the newest tokens of a user's provider. A refresh token that was given before stays when none came this time, as
 * some providers give it at the first consent only. What is not to be kept any more (`lockHeir`) is not.
 */
export async function upsertCredential(
  trx: Knex.Transaction,
  sealer: Sealer,
  credential: GivenCredential,
): Promise<void> {
  const heir = await lockHeir(trx, credential)
  if (heir === undefined) return
  const { expires_at } = credential
  const tokens = { ...sealTokens(sealer, credential, heir), expires_at }
  await trx('credentials')
    .insert({ ...heir, ...tokens })
    .onConflict(['site', 'identifier', 'provider'])
    .merge({
      ...tokens,
      refresh_token: trx.raw('coalesce(excluded.refresh_token, credentials.refresh_token)'),
      ...newTokens(trx),
      recorded_at: heir.recorded_at,
    })
    .where('credentials.recorded_at', '<=', heir.recorded_at)
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

/** Makes a merged user's credentials the heir's, sealed for their new place, unless he was given newer ones. */
export async function moveCredentials(
  trx: Knex.Transaction,
  sealer: Sealer,
  { site, identifier }: User,
): Promise<void> {
  const moved: SealedCredential[] = await trx('credentials').where({ site, identifier }).delete().returning('*')
  for (const row of moved) {
    const heir = await lockHeir(trx, row)
    if (heir === undefined) continue
    await trx('credentials')
      .insert({ ...row, ...heir, ...sealTokens(sealer, openCredential(sealer, row), heir) })
      .onConflict(['site', 'identifier', 'provider'])
      .merge()
      .where('credentials.recorded_at', '<', heir.recorded_at)
  }
}

export async function removeCredentials(trx: Knex.Transaction, { site, identifier }: User): Promise<void> {
  await trx('credentials').where({ site, identifier }).delete()
}

/** Removes what the providers gave until they were unlinked. */
export async function removeUnlinkedCredentials(
  trx: Knex.Transaction,
  { site, identifier }: User,
  { providers, unlinked_at }: Unlinking,
): Promise<void> {
  await trx('credentials')
    .where({ site, identifier })
    .whereIn('provider', providers)
    .where('recorded_at', '<=', unlinked_at)
    .delete()
}

export type SealedCredential = Omit<StoredCredential, SealedColumn> & Readonly<Record<SealedColumn, Buffer | null>>

export interface Owner extends User {
  readonly provider: Provider
}

export function sealTokens(sealer: Sealer, plain: Pick<GivenCredential, SealedColumn>, owner: Owner) {
  const seal = (column: SealedColumn) => {
    const token = plain[column]
    return token === null ? null : sealer.seal(token, placeOf(owner, column))
  }
  return {
    access_token: seal('access_token'),
    access_secret: seal('access_secret'),
    refresh_token: seal('refresh_token'),
  }
}

/** @throws SealBroken */
export function openCredential(sealer: Sealer, row: SealedCredential): StoredCredential {
  const open = (column: SealedColumn) => {
    const sealed = row[column]
    return sealed === null ? null : sealer.open(sealed, placeOf(row, column))
  }
  return {
    ...row,
    access_token: open('access_token'),
    access_secret: open('access_secret'),
    refresh_token: open('refresh_token'),
  }
}

function placeOf({ site, identifier, provider }: Owner, column: SealedColumn): Place {
  return ['credentials', site, identifier, provider, column]
}
