import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose'
import type { SigningAlgorithm } from '../../domain/signing-algorithms.ts'
import type { StoredKey } from '../../store/signing-keys.ts'

/** 128-bit strength (NIST SP 800-57 part 1, table 2). ES256 keys are always on P-256. */
const rsaBits = 3_072

/** Generates a key pair. Its `kid` is the thumbprint of the public key (RFC 7638). */
export async function generateSigningKey(alg: SigningAlgorithm): Promise<StoredKey> {
  const pair = await generateKeyPair(alg, { modulusLength: rsaBits, extractable: true })
  const [publicPart, privateJwk] = await Promise.all([exportJWK(pair.publicKey), exportJWK(pair.privateKey)])
  const kid = await calculateJwkThumbprint(publicPart)
  return { kid, alg, public_jwk: { ...publicPart, kid, alg, use: 'sig' }, private_jwk: privateJwk }
}
