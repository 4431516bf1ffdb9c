import { type Place, SealBroken, type Sealer } from '#runtime'
import type { GivenCredential } from '../domain/credential.ts'
import type { SealedTable } from './sealed-values.ts'

export interface StoredCredential extends GivenCredential {
  /** Changes with the tokens. */
  readonly token_set: string
  /** Since when it is known that only the end user can renew them, by a login. */
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

export type SealedCredential = Omit<StoredCredential, SealedColumn> & Readonly<Record<SealedColumn, Buffer | null>>

/** A credential that no user holds any more, encrypted for the row it was stored in, or as the provider gave it. */
export type AbandonedCredential = GivenCredential | SealedCredential

type Key = Pick<GivenCredential, 'link_id'>

export function sealTokens(sealer: Sealer, plain: Pick<GivenCredential, SealedColumn>, key: Key) {
  const seal = (column: SealedColumn) => {
    const token = plain[column]
    return token === null ? null : sealer.seal(token, placeOf(key, column))
  }
  return {
    access_token: seal('access_token'),
    access_secret: seal('access_secret'),
    refresh_token: seal('refresh_token'),
  }
}

/** @throws SealBroken when a token cannot be opened: a damaged token is an error, never the absence of a token */
export async function openCredential(sealer: Sealer, row: SealedCredential): Promise<StoredCredential> {
  return openColumns(row, (sealed, column) => sealer.open(sealed, placeOf(row, column)))
}

/**
 * The tokens that can be opened; damaged ones are null.
 *
 * @throws SealBroken `unknown_key`: with that key the token can be opened again
 */
export async function openUndamaged(sealer: Sealer, row: SealedCredential): Promise<StoredCredential> {
  return openColumns(row, (sealed, column) => openUnlessDamaged(sealer, sealed, placeOf(row, column)))
}

/** Whether a refresh token is stored that cannot be decrypted any more. With an unknown key it can be decrypted again. */
export async function isRefreshTokenDamaged(sealer: Sealer, row: SealedCredential): Promise<boolean> {
  const { refresh_token } = row
  if (refresh_token === null) return false
  try {
    return (await openUnlessDamaged(sealer, refresh_token, placeOf(row, 'refresh_token'))) === null
  } catch (error) {
    if (error instanceof SealBroken) return false
    throw error
  }
}

async function openUnlessDamaged(sealer: Sealer, sealed: Buffer, place: Place): Promise<string | null> {
  try {
    return await sealer.open(sealed, place)
  } catch (error) {
    if (error instanceof SealBroken && error.by === 'damaged') return null
    throw error
  }
}

async function openColumns(
  row: SealedCredential,
  openToken: (sealed: Buffer, column: SealedColumn) => Promise<string | null>,
): Promise<StoredCredential> {
  const open = async (column: SealedColumn) => {
    const sealed = row[column]
    return sealed === null ? null : openToken(sealed, column)
  }
  const [accessToken, accessSecret, refreshToken] = await Promise.all([
    open('access_token'),
    open('access_secret'),
    open('refresh_token'),
  ])
  return { ...row, access_token: accessToken, access_secret: accessSecret, refresh_token: refreshToken }
}

function placeOf({ link_id }: Key, column: string): Place {
  return ['credentials', link_id, column]
}

export const sealedCredentials: SealedTable<Key> = {
  table: 'credentials',
  key: ['link_id'],
  columns: sealedColumns,
  placeOf,
}
