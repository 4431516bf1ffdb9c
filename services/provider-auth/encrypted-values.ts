import { limits } from '#contracts'
import { copyKeysExpiry, type EncryptionCommand, encryptedCopyKeys, encryptedJobs, encryptedValuesOf } from '#database'
import { discardEncryptedValues } from './discard-encrypted-values.ts'
import { encryptedCredentials } from './store/encrypted-credentials.ts'
import { encryptedSettings } from './store/provider-settings.ts'
import { encryptedSigningKeys } from './store/signing-keys.ts'

const hours = limits.session_absolute_seconds / 3_600
const codeMinutes = Math.ceil((limits.access_token_seconds + limits.authorization_code_seconds) / 60)

/** What this service encrypts in its database. */
export const encryptedAuthData: EncryptionCommand = {
  service: 'provider-auth',
  tables: [
    encryptedValuesOf(encryptedSigningKeys),
    encryptedValuesOf(encryptedSettings),
    encryptedValuesOf(encryptedCredentials),
  ],
  // Rows of codes are deleted with the access token that was issued for them.
  shortLived: [{ table: 'authorization_codes', columns: ['claims'] }],
  shortLivedTexts: [encryptedJobs, encryptedCopyKeys],
  expiryNotes: {
    site_copies: copyKeysExpiry,
    'authorization_codes.claims': ` (deleted within ${codeMinutes} minutes)`,
    jobs: ' (deleted when the jobs have finished)',
  },
  elsewhere: `Sessions in Redis and pending logins in cookies may still use them;
they expire within ${hours} hours, and without their key end users log in again. After that, remove the key from the key ring.
`,
  async discard(knex, keyId) {
    const { credentials, signing_keys, settings } = await discardEncryptedValues(knex, keyId)
    const lines = settings.map((name) => `save these provider settings again, with the client secret: ${name}\n`)
    return `deleted: ${credentials} tokens, ${signing_keys} signing keys\n${lines.join('')}`
  },
}
