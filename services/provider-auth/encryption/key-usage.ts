import type { Knex } from 'knex'
import { limits } from '#contracts'
import { encryptedCredentials } from '../store/encrypted-credentials.ts'
import { countKeyUsage, type EncryptionKeyUsage } from '../store/encrypted-values.ts'
import { encryptedSettings } from '../store/provider-settings.ts'
import { encryptedSigningKeys } from '../store/signing-keys.ts'

/** Encrypted for a short time only: rows of codes are deleted with the access token that was issued for them. */
const encryptedCodes = { table: 'authorization_codes', columns: ['claims'] }

/** Lists which keys of the ring encrypt which values in the database. */
export function listKeyUsage(knex: Knex): Promise<EncryptionKeyUsage[]> {
  return countKeyUsage(knex, [encryptedSigningKeys, encryptedSettings, encryptedCredentials, encryptedCodes])
}

const hours = limits.session_absolute_seconds / 3_600

/** Describes for operators what each key encrypts, and which of these values expire by themselves. */
export function describeKeyUsage(usage: readonly EncryptionKeyUsage[], current: string): string {
  const ids = [...new Set([current, ...usage.map(({ key_id }) => key_id)])]
  const lines = ids.map((id) => {
    const ofKey = usage.filter(({ key_id }) => key_id === id)
    const usages = ofKey
      .map(({ stored_in, values }) => `${stored_in} ${values}${expiryNotes[stored_in] ?? ''}`)
      .join(', ')
    return `  ${id}${id === current ? ' (current key)' : ''}: ${usages || 'not used yet'}\n`
  })
  return `In use:
${lines.join('')}Keys that are not listed encrypt nothing in the database. Sessions in Redis and pending logins in cookies may still use them;
they expire within ${hours} hours, and without their key end users log in again. After that, remove the key from the key ring.
`
}

const expiryNotes: Readonly<Record<string, string>> = {
  'authorization_codes.claims': ` (deleted within ${Math.ceil((limits.access_token_seconds + limits.authorization_code_seconds) / 60)} minutes)`,
  jobs: ' (deleted when the jobs have finished)',
}
