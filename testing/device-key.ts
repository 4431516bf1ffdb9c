import { generateKeyPairSync } from 'node:crypto'

/** What a site's settings of the device provider need, and what the provider knows of it: one key for a process. */
const { publicKey, privateKey } = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})

export const deviceKey = {
  private_key: privateKey,
  public_key: publicKey,
  options: { team_id: 'TEAM123456', key_id: 'KEY1234567' },
} as const
