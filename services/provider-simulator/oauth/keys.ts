import { type CryptoKey, exportJWK, exportSPKI, generateKeyPair, type JWK } from 'jose'

/** The keys of an OpenID Provider; they end with the process. */
export interface Keys {
  readonly signing: { readonly kid: string; readonly key: CryptoKey }
  readonly published: readonly JWK[]
  /** The published keys as PEM, by key id. */
  readonly pem: Readonly<Record<string, string>>
}

/** @param ids key ids in the order of the key set; the second one signs, so that a client that ignores `kid` fails */
export async function createKeys(alg: 'RS256' | 'ES256', ids: readonly string[]): Promise<Keys> {
  const keys = await Promise.all(ids.map((kid) => createKey(alg, kid)))
  const signing = keys[1] ?? keys[0]
  if (signing === undefined) throw new Error('An OpenID Provider needs a key.')
  return {
    signing: { kid: signing.kid, key: signing.privateKey },
    published: keys.map(({ jwk }) => jwk),
    pem: Object.fromEntries(keys.map(({ kid, pem }) => [kid, pem])),
  }
}

async function createKey(alg: string, kid: string) {
  const { publicKey, privateKey } = await generateKeyPair(alg)
  const [jwk, pem] = await Promise.all([exportJWK(publicKey), exportSPKI(publicKey)])
  return { kid, privateKey, pem, jwk: { ...jwk, alg, use: 'sig', kid } }
}
