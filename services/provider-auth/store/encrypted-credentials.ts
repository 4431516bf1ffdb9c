import type { EncryptedTable } from '#database'
import { DecryptionError, type EncryptionContext, type Encryptor } from '#runtime'
import type { AppTokens, ProviderCredential } from '../domain/credential.ts'
import type { LinkRecord } from '../domain/link-record.ts'

export interface StoredCredential extends ProviderCredential, AppTokens {
  /** Changes whenever the tokens change. */
  readonly token_set: string
  /** When it became known that the end user has to log in again to renew the tokens. */
  readonly needs_reauth_at: Date | null
  /** Until when one replica has locked the tokens for a refresh. */
  readonly refresh_locked_until: Date | null
  /** Consecutive failed refreshes of these tokens. */
  readonly failed_refreshes: number
  /** After a failed refresh: when the next attempt is allowed. */
  readonly refresh_not_before: Date | null
  readonly created_at: Date
  readonly updated_at: Date
}

const encryptedColumns = [
  ...(['access_token', 'access_secret', 'refresh_token'] as const),
  ...(['client_access_token', 'client_access_secret', 'client_refresh_token'] as const),
] as const
type EncryptedColumn = (typeof encryptedColumns)[number]

export type EncryptedCredential = Omit<StoredCredential, EncryptedColumn> &
  Readonly<Record<EncryptedColumn, Buffer | null>>

/** A credential that the site no longer uses, encrypted as stored or in plain text as the provider issued it. */
export type RemovedCredential = Omit<ProviderCredential, keyof LinkRecord> | EncryptedCredential

type Key = Pick<ProviderCredential, 'site' | 'link_id'>

export function encryptTokens(
  encryptor: Encryptor,
  {
    access_token,
    access_secret,
    refresh_token,
  }: Pick<ProviderCredential, 'access_token' | 'access_secret' | 'refresh_token'>,
  key: Pick<Key, 'link_id'>,
) {
  return {
    access_token: encryptColumn(encryptor, access_token, key, 'access_token'),
    access_secret: encryptColumn(encryptor, access_secret, key, 'access_secret'),
    refresh_token: encryptColumn(encryptor, refresh_token, key, 'refresh_token'),
  }
}

export function encryptAppTokens(
  encryptor: Encryptor,
  { client_access_token, client_access_secret, client_refresh_token }: AppTokens,
  key: Pick<Key, 'link_id'>,
) {
  return {
    client_access_token: encryptColumn(encryptor, client_access_token, key, 'client_access_token'),
    client_access_secret: encryptColumn(encryptor, client_access_secret, key, 'client_access_secret'),
    client_refresh_token: encryptColumn(encryptor, client_refresh_token, key, 'client_refresh_token'),
  }
}

function encryptColumn(
  encryptor: Encryptor,
  token: string | null,
  key: Pick<Key, 'link_id'>,
  column: EncryptedColumn,
): Buffer | null {
  return token === null ? null : encryptor.encrypt(token, encryptionContextOf(key, column))
}

/** @throws DecryptionError if a token cannot be decrypted: a damaged token is an error, not a missing token */
export async function decryptCredential(encryptor: Encryptor, row: EncryptedCredential): Promise<StoredCredential> {
  return decryptColumns(row, (encrypted, column) => encryptor.decrypt(encrypted, encryptionContextOf(row, column)))
}

/**
 * Decrypts the tokens; damaged ones become null.
 *
 * @throws DecryptionError `unknown_key`: the tokens are readable again once that key is back in the key ring
 */
export async function decryptUndamagedTokens(
  encryptor: Encryptor,
  row: EncryptedCredential,
): Promise<StoredCredential> {
  return decryptColumns(row, (encrypted, column) =>
    decryptUnlessDamaged(encryptor, encrypted, encryptionContextOf(row, column)),
  )
}

/**
 * Whether the stored refresh token is damaged. A token with an unknown key is not: it is readable once that key is
 * back.
 */
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
    if (error instanceof DecryptionError && error.failure === 'damaged') return null
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
  const [accessToken, accessSecret, refreshToken, clientAccessToken, clientAccessSecret, clientRefreshToken] =
    await Promise.all([
      open('access_token'),
      open('access_secret'),
      open('refresh_token'),
      open('client_access_token'),
      open('client_access_secret'),
      open('client_refresh_token'),
    ])
  return {
    ...row,
    access_token: accessToken,
    access_secret: accessSecret,
    refresh_token: refreshToken,
    client_access_token: clientAccessToken,
    client_access_secret: clientAccessSecret,
    client_refresh_token: clientRefreshToken,
  }
}

function encryptionContextOf({ link_id }: Pick<Key, 'link_id'>, column: string): EncryptionContext {
  return ['credentials', link_id, column]
}

export const encryptedCredentials: EncryptedTable<Key> = {
  table: 'credentials',
  key: ['site', 'link_id'],
  columns: encryptedColumns,
  encryptionContextOf,
}
