import { generateKeyPairSync } from 'node:crypto'

/** A key for the device provider, shared by a process: the private part for a site's settings, the public one for the provider. */
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
