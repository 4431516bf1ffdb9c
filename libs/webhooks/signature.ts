import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import type { SignatureScheme } from '#contracts'

/** Prefixes of the serialized keys (Standard Webhooks, "Signature scheme"). */
const prefixes = { v1: 'whsec_', v1a: 'whsk_', public: 'whpk_' } as const

/** A secret with 192 bits, as the specification recommends between 24 and 64 bytes. */
const secretBytes = 24
const seedBytes = 32
/** An Ed25519 private key in PKCS #8 is this prefix and the seed, and a public key in SPKI its prefix and the key (RFC 8410). */
const privateKeyHead = Buffer.from('302e020100300506032b657004220420', 'hex')

/** Creates the secret of an endpoint: the shared secret of `v1`, or the private key of `v1a`. */
export function createWebhookSecret(scheme: SignatureScheme): string {
  if (scheme === 'v1') return `${prefixes.v1}${randomBytes(secretBytes).toString('base64')}`
  const { privateKey } = generateKeyPairSync('ed25519')
  const seed = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-seedBytes)
  return `${prefixes.v1a}${seed.toString('base64')}`
}

/** The public key of a secret of `v1a`, with which receivers verify signatures. */
export function findPublicKey(secret: string): string {
  const key = createPublicKey(readPrivateKey(secret)).export({ format: 'der', type: 'spki' }).subarray(-seedBytes)
  return `${prefixes.public}${key.toString('base64')}`
}

/** Signs requests. */
export type SignWebhook = (message: WebhookMessage) => string

interface WebhookMessage {
  readonly id: string
  /** When the request is sent. */
  readonly sentAt: Date
  readonly body: string
}

/**
 * Creates the function that signs with all valid secrets of an endpoint.
 *
 * @returns the value of `webhook-signature`
 */
export function createWebhookSigner(secrets: readonly string[]): SignWebhook {
  const signers = secrets.map((secret) => (secret.startsWith(prefixes.v1) ? signByHmac(secret) : signByKey(secret)))
  return (message) => signers.map((signMessage) => signMessage(message)).join(' ')
}

function signByHmac(secret: string): SignWebhook {
  const webhook = new Webhook(secret)
  return ({ id, sentAt, body }) => webhook.sign(id, sentAt, body)
}

/** The library signs by HMAC only. */
function signByKey(secret: string): SignWebhook {
  const key = readPrivateKey(secret)
  return ({ id, sentAt, body }) => {
    const signed = Buffer.from(`${id}.${toSeconds(sentAt)}.${body}`)
    return `v1a,${sign(null, signed, key).toString('base64')}`
  }
}

function readPrivateKey(secret: string) {
  const seed = Buffer.from(secret.slice(prefixes.v1a.length), 'base64')
  return createPrivateKey({ key: Buffer.concat([privateKeyHead, seed]), format: 'der', type: 'pkcs8' })
}

/** The value of `webhook-timestamp`. */
export function toSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1_000)
}
