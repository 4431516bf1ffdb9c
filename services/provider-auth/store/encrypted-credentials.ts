import { DecryptionError, type EncryptionContext, type Encryptor } from '#runtime'
import type { ProviderCredential } from '../domain/credential.ts'
import type { EncryptedTable } from './encrypted-values.ts'

export interface StoredCredential extends ProviderCredential {
  /** Changes with the tokens. */
  readonly token_set: string
  /** Since when it is known that only the end user can renew them, by a login. */
  readonly needs_reauth_at: Date | null
  /** Until when a replica has the renewal of the tokens to itself. */
  readonly refresh_locked_until: Date | null
  /** In a row, of these tokens. */
  readonly failed_refreshes: number
  /** After a renewal that failed, when the next may be tried. */
  readonly refresh_not_before: Date | null
  readonly created_at: Date
  readonly updated_at: Date
}

const encryptedColumns = ['access_token', 'access_secret', 'refresh_token'] as const
type EncryptedColumn = (typeof encryptedColumns)[number]

export type EncryptedCredential = Omit<StoredCredential, EncryptedColumn> &
  Readonly<Record<EncryptedColumn, Buffer | null>>

/** A credential that no user holds any more, encrypted for the row it was stored in, or as the provider gave it. */
export type RemovedCredential = ProviderCredential | EncryptedCredential

type Key = Pick<ProviderCredential, 'link_id'>

export function encryptTokens(encryptor: Encryptor, plain: Pick<ProviderCredential, EncryptedColumn>, key: Key) {
  const encrypt = (column: EncryptedColumn) => {
    const token = plain[column]
    return token === null ? null : encryptor.encrypt(token, encryptionContextOf(key, column))
  }
  return {
    access_token: encrypt('access_token'),
    access_secret: encrypt('access_secret'),
    refresh_token: encrypt('refresh_token'),
  }
}

/** @throws DecryptionError when a token cannot be opened: a damaged token is an error, never the absence of a token */
export async function decryptCredential(encryptor: Encryptor, row: EncryptedCredential): Promise<StoredCredential> {
  return decryptColumns(row, (encrypted, column) => encryptor.decrypt(encrypted, encryptionContextOf(row, column)))
}

/**
 * The tokens that can be opened; damaged ones are null.
 *
 * @throws DecryptionError `unknown_key`: with that key the token can be opened again
 */
export async function decryptUndamagedTokens(
  encryptor: Encryptor,
  row: EncryptedCredential,
): Promise<StoredCredential> {
  return decryptColumns(row, (encrypted, column) =>
    decryptUnlessDamaged(encryptor, encrypted, encryptionContextOf(row, column)),
  )
}

/** Whether a refresh token is stored that cannot be decrypted any more. With an unknown key it can be decrypted again. */
export async function isRefreshTokenDamaged(encryptor: Encryptor, row: EncryptedCredential): Promise<boolean> {
  const { refresh_token } = row
  if (refresh_token === null) return false
  try {
    return (await decryptUnlessDamaged(encryptor, refresh_token, encryptionContextOf(row, 'refresh_token'))) === null
  } catch (error) {
    if (error instanceof DecryptionError) return false
    throw error
  }
}

async function decryptUnlessDamaged(
  encryptor: Encryptor,
  encrypted: Buffer,
  context: EncryptionContext,
): Promise<string | null> {
  try {
    return await encryptor.decrypt(encrypted, context)
  } catch (error) {
    if (error instanceof DecryptionError && error.by === 'damaged') return null
    throw error
  }
}

async function decryptColumns(
  row: EncryptedCredential,
  openToken: (encrypted: Buffer, column: EncryptedColumn) => Promise<string | null>,
): Promise<StoredCredential> {
  const open = async (column: EncryptedColumn) => {
    const encrypted = row[column]
    return encrypted === null ? null : openToken(encrypted, column)
  }
  const [accessToken, accessSecret, refreshToken] = await Promise.all([
    open('access_token'),
    open('access_secret'),
    open('refresh_token'),
  ])
  return { ...row, access_token: accessToken, access_secret: accessSecret, refresh_token: refreshToken }
}

function encryptionContextOf({ link_id }: Key, column: string): EncryptionContext {
  return ['credentials', link_id, column]
}

export const encryptedCredentials: EncryptedTable<Key> = {
  table: 'credentials',
  key: ['link_id'],
  columns: encryptedColumns,
  encryptionContextOf,
}
