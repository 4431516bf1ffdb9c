import type { Knex } from 'knex'
import { limits } from '#contracts'
import { encryptedCredentials } from '../store/encrypted-credentials.ts'
import { countKeyUsage, type KeyUsage } from '../store/encrypted-values.ts'
import { encryptedSettings } from '../store/provider-settings.ts'
import { encryptedSigningKeys } from '../store/signing-keys.ts'

/** Encrypted, but not for long: rows of codes go with the access token issued for them. */
const encryptedCodes = { table: 'authorization_codes', columns: ['claims'] }

/** What is encrypted under which of the ring's keys, in the database. */
export function listKeyUsage(knex: Knex): Promise<KeyUsage[]> {
  return countKeyUsage(knex, [encryptedSigningKeys, encryptedSettings, encryptedCredentials, encryptedCodes])
}

const hours = limits.session_absolute_seconds / 3_600

/** For the operator: what each key is still needed for, and what of that goes by itself. */
export function describeKeyUsage(usage: readonly KeyUsage[], current: string): string {
  const ids = [...new Set([current, ...usage.map(({ key_id }) => key_id)])]
  const lines = ids.map((id) => {
    const ofKey = usage.filter(({ key_id }) => key_id === id)
    const usages = ofKey
      .map(({ stored_in, values }) => `${stored_in} ${values}${expiryNotes[stored_in] ?? ''}`)
      .join(', ')
    return `  ${id}${id === current ? ' (present key)' : ''}: ${usages || 'nothing yet'}\n`
  })
  return `In use:
${lines.join('')}A key that is not named here encrypts nothing in the database. Sessions are in Redis, started logins in cookies: they end
within ${hours} hours, and without their key users log in again. After that the key may leave the ring.
`
}

const expiryNotes: Readonly<Record<string, string>> = {
  'authorization_codes.claims': ` (gone within ${Math.ceil((limits.access_token_seconds + limits.authorization_code_seconds) / 60)} minutes)`,
  jobs: ' (gone when they are done)',
}
