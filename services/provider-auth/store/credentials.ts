import type { Knex } from 'knex'
import type { Provider } from '#contracts'
import type { Place, Sealer } from '#runtime'
import { listMergedInto, lockRemembered, type User } from './forgotten-users.ts'

/** Tokens a login provider gave for a user; null where it gives none. */
export interface GivenCredential {
  readonly site: number
  readonly identifier: string
  readonly provider: Provider
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
 * some providers give it at the first consent only. Of a forgotten user nothing is kept; a merged user's are the
 * destination's.
 */
export async function upsertCredential(
  trx: Knex.Transaction,
  sealer: Sealer,
  credential: GivenCredential,
): Promise<void> {
  const user = await lockRemembered(trx, credential)
  if (user === undefined) return
  const { provider, expires_at } = credential
  const given = {
    ...sealTokens(sealer, credential, { ...user, provider }),
    expires_at,
    given_to: credential.identifier,
  }
  await trx('credentials')
    .insert({ ...user, provider, ...given })
    .onConflict(['site', 'identifier', 'provider'])
    .merge({
      ...given,
      refresh_token: trx.raw('coalesce(excluded.refresh_token, credentials.refresh_token)'),
      updated_at: trx.fn.now(),
    })
}

/** The user's credentials, opened. */
export async function listCredentials(
  { knex, sealer }: { readonly knex: Knex; readonly sealer: Sealer },
  { site, identifier }: User,
): Promise<StoredCredential[]> {
  const rows: CredentialRow[] = await knex('credentials').where({ site, identifier })
  return rows.map((row) => openTokens(sealer, row))
}

/** The user's credential of one provider, opened. */
export async function findCredential(
  { knex, sealer }: { readonly knex: Knex; readonly sealer: Sealer },
  { site, identifier, provider }: Owner,
): Promise<StoredCredential | undefined> {
  const row: CredentialRow | undefined = await knex('credentials').where({ site, identifier, provider }).first()
  return row && openTokens(sealer, row)
}

/** Makes a user's credentials another's, sealed for their new place; one whose provider the other has already goes. */
export async function moveCredentials(
  trx: Knex.Transaction,
  sealer: Sealer,
  { site, identifier }: User,
  destination: User,
): Promise<void> {
  const moved: CredentialRow[] = await trx('credentials').where({ site, identifier }).delete().returning('*')
  for (const row of moved) {
    const { given_to } = row
    const place = { ...destination, provider: row.provider }
    const tokens = sealTokens(sealer, openTokens(sealer, row), place)
    await trx('credentials')
      .insert({ ...row, ...place, ...tokens, given_to: given_to ?? identifier })
      .onConflict(['site', 'identifier', 'provider'])
      .ignore()
  }
}

export async function removeCredentials(trx: Knex.Transaction, { site, identifier }: User): Promise<void> {
  await trx('credentials').where({ site, identifier }).delete()
}

/**
 * Removes what the providers gave for the user before a time, wherever it is: a merged user's credentials are kept as
 * another's, whose own are left alone.
 */
export async function removeCredentialsOfProviders(
  trx: Knex.Transaction,
  user: User,
  { providers, before }: { readonly providers: readonly Provider[]; readonly before: Date },
): Promise<void> {
  const kept_as = await lockRemembered(trx, user)
  if (kept_as === undefined) return
  await trx('credentials')
    .where({ site: kept_as.site, identifier: kept_as.identifier })
    .whereIn('provider', providers)
    .where('updated_at', '<', before)
    .whereRaw('coalesce(given_to, identifier) = any(?)', [await listMergedInto(trx, user)])
    .delete()
}

type CredentialRow = Omit<StoredCredential, SealedColumn> &
  Readonly<Record<SealedColumn, Buffer | null>> & {
    /** The user as whom the login was recorded; null: this one. */
    readonly given_to: string | null
  }

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

function openTokens(sealer: Sealer, row: CredentialRow): StoredCredential {
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
