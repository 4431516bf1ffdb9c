import type { Knex } from 'knex'
import type { Provider } from '#contracts'
import type { Place, Sealer } from '#runtime'
import { lockRemembered } from './forgotten-users.ts'

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
 * some providers give it at the first consent only. Of a forgotten user nothing is kept.
 */
export async function upsertCredential(
  trx: Knex.Transaction,
  sealer: Sealer,
  credential: GivenCredential,
): Promise<void> {
  if (!(await lockRemembered(trx, credential))) return
  const { site, identifier, provider, expires_at } = credential
  const seal = (column: SealedColumn) => {
    const plain = credential[column]
    return plain === null ? null : sealer.seal(plain, placeOf(credential, column))
  }
  const tokens = {
    access_token: seal('access_token'),
    access_secret: seal('access_secret'),
    refresh_token: seal('refresh_token'),
    expires_at,
  }
  await trx('credentials')
    .insert({ site, identifier, provider, ...tokens })
    .onConflict(['site', 'identifier', 'provider'])
    .merge({
      ...tokens,
      refresh_token: trx.raw('coalesce(excluded.refresh_token, credentials.refresh_token)'),
      updated_at: trx.fn.now(),
    })
}

/** The user's credentials, opened. */
export async function listCredentials(
  { knex, sealer }: { readonly knex: Knex; readonly sealer: Sealer },
  { site, identifier }: { site: number; identifier: string },
): Promise<StoredCredential[]> {
  const rows: CredentialRow[] = await knex('credentials').where({ site, identifier })
  return rows.map((row) => {
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
  })
}

type CredentialRow = Omit<StoredCredential, SealedColumn> & Readonly<Record<SealedColumn, Buffer | null>>

export async function removeCredentials(
  trx: Knex.Transaction,
  { site, identifier }: { site: number; identifier: string },
): Promise<void> {
  await trx('credentials').where({ site, identifier }).delete()
}

interface Owner {
  readonly site: number
  readonly identifier: string
  readonly provider: Provider
}

function placeOf({ site, identifier, provider }: Owner, column: SealedColumn): Place {
  return ['credentials', site, identifier, provider, column]
}
