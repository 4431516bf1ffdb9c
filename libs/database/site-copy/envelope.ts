import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import { gunzipSync, gzipSync } from 'node:zlib'

// Layout: ephemeral public key (44, SPKI) · nonce (12) · tag (16) · ciphertext. X25519, HKDF-SHA-256 and AES-256-GCM, as in the base mode
// of HPKE (RFC 9180). Each envelope has a key of its own.
const publicKeyBytes = 44
const nonceEnd = publicKeyBytes + 12
const tagEnd = nonceEnd + 16
const spki = { type: 'spki', format: 'der' } as const
const pkcs8 = { type: 'pkcs8', format: 'der' } as const

/** A key pair of one copy: what is encrypted with the public key can only be read with the private one. Both are base64. */
export interface CopyKeys {
  readonly public_key: string
  readonly private_key: string
}

export function createCopyKeys(): CopyKeys {
  const { publicKey, privateKey } = generateKeyPairSync('x25519')
  return {
    public_key: publicKey.export(spki).toString('base64'),
    private_key: privateKey.export(pkcs8).toString('base64'),
  }
}

/** Compresses and encrypts data for the holder of a key. @param context where the data belongs; it is authenticated */
export function encryptFor(publicKey: string, data: unknown, context: readonly unknown[]): string {
  const recipient = createPublicKey({ key: Buffer.from(publicKey, 'base64'), ...spki })
  const ephemeral = generateKeyPairSync('x25519')
  const head = ephemeral.publicKey.export(spki)
  const nonce = randomBytes(nonceEnd - publicKeyBytes)
  const key = deriveKey(ephemeral.privateKey, recipient, head)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(JSON.stringify(context)))
  const text = Buffer.concat([cipher.update(gzipSync(JSON.stringify(data))), cipher.final()])
  return Buffer.concat([head, nonce, cipher.getAuthTag(), text]).toString('base64')
}

/** @throws if the data was encrypted for another key or another context, or was changed */
export function decryptEnvelope(privateKey: string, envelope: string, context: readonly unknown[]): unknown {
  const bytes = Buffer.from(envelope, 'base64')
  const head = bytes.subarray(0, publicKeyBytes)
  const recipient = createPrivateKey({ key: Buffer.from(privateKey, 'base64'), ...pkcs8 })
  const key = deriveKey(recipient, createPublicKey({ key: head, ...spki }), head)
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(publicKeyBytes, nonceEnd), { authTagLength: 16 })
    .setAAD(Buffer.from(JSON.stringify(context)))
    .setAuthTag(bytes.subarray(nonceEnd, tagEnd))
  return JSON.parse(gunzipSync(Buffer.concat([decipher.update(bytes.subarray(tagEnd)), decipher.final()])).toString())
}

function deriveKey(privateKey: KeyObject, publicKey: KeyObject, salt: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', diffieHellman({ privateKey, publicKey }), salt, 'site copy', 32))
}
