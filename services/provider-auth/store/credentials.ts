import type { Knex } from 'knex'
import type { Provider } from '#contracts'
import { type Place, SealBroken, type Sealer } from '#runtime'
import type { User } from './forgotten-users.ts'
import { type Brought, lockHeir } from './heirs.ts'
import type { SealedTable } from './sealed-values.ts'
import type { Unlinking } from './unlinked-providers.ts'

/** Tokens a login provider gave for a user; null where it gives none. */
export interface GivenCredential extends Brought {
  readonly access_token: string | null
  readonly access_secret: string | null
  readonly refresh_token: string | null
  readonly expires_at: Date | null
}

export interface StoredCredential extends GivenCredential {
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
      recorded_at: heir.recorded_at,
      updated_at: trx.fn.now(),
    })
    .where('credentials.recorded_at', '<=', heir.recorded_at)
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

/** The user's credential of one provider, opened. */
export async function findCredential(
  { knex, sealer }: { readonly knex: Knex; readonly sealer: Sealer },
  { site, identifier, provider }: Owner,
): Promise<StoredCredential | undefined> {
  const row: SealedCredential | undefined = await knex('credentials').where({ site, identifier, provider }).first()
  return row && (await openCredential(sealer, row))
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
    const opened = await openCredential(sealer, row)
    // A damaged one takes the place of none.
    if (opened.access_token === null && row.access_token !== null) continue
    await trx('credentials')
      .insert({ ...row, ...heir, ...sealTokens(sealer, opened, heir) })
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

interface Owner extends User {
  readonly provider: Provider
}

function sealTokens(sealer: Sealer, plain: Pick<GivenCredential, SealedColumn>, owner: Owner) {
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

/**
 * A damaged token is null, as one the provider did not give: the user's others are to be had, and the next login brings it anew.
 *
 * @throws SealBroken `unknown_key`: nothing is taken for lost that is only locked
 */
export async function openCredential(sealer: Sealer, row: SealedCredential): Promise<StoredCredential> {
  const open = async (column: SealedColumn) => {
    const sealed = row[column]
    if (sealed === null) return null
    try {
      return await sealer.open(sealed, placeOf(row, column))
    } catch (error) {
      if (error instanceof SealBroken && error.by === 'damaged') return null
      throw error
    }
  }
  const [access_token, access_secret, refresh_token] = await Promise.all([
    open('access_token'),
    open('access_secret'),
    open('refresh_token'),
  ])
  return { ...row, access_token, access_secret, refresh_token }
}

function placeOf({ site, identifier, provider }: Owner, column: string): Place {
  return ['credentials', site, identifier, provider, column]
}

export const sealedCredentials: SealedTable<Owner> = {
  table: 'credentials',
  key: ['site', 'identifier', 'provider'],
  columns: sealedColumns,
  placeOf,
}
