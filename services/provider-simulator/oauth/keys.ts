import { type CryptoKey, exportJWK, exportSPKI, type GenerateKeyPairResult, generateKeyPair, type JWK } from 'jose'

/** The keys of an OpenID Provider. They live as long as the process. */
export interface ProviderKeys {
  readonly signing: { readonly kid: string; readonly key: CryptoKey }
  readonly published: readonly JWK[]
  /** The published keys as PEM, by key id. */
  readonly pem: Readonly<Record<string, string>>
}

/** @param ids key IDs in the order of the key set; the second one signs, so that clients that ignore `kid` fail */
export async function createProviderKeys(alg: 'RS256' | 'ES256', ids: readonly string[]): Promise<ProviderKeys> {
  const keys = await Promise.all(ids.map((kid, index) => createKey(kid, alg, index)))
  const signing = keys[1] ?? keys[0]
  if (signing === undefined) throw new Error('An OpenID Provider needs a key.')
  return {
    signing: { kid: signing.kid, key: signing.privateKey },
    published: keys.map(({ jwk }) => jwk),
    pem: Object.fromEntries(keys.map(({ kid, pem }) => [kid, pem])),
  }
}

const keyPairs = new Map<string, Promise<GenerateKeyPairResult>>()

/** Providers share key pairs under different IDs, because generating RSA keys is slow. */
function getKeyPair(alg: string, index: number): Promise<GenerateKeyPairResult> {
  const name = `${alg} ${index}`
  const pair = keyPairs.get(name) ?? generateKeyPair(alg)
  keyPairs.set(name, pair)
  return pair
}

async function createKey(kid: string, alg: string, index: number) {
  const { publicKey, privateKey } = await getKeyPair(alg, index)
  const [jwk, pem] = await Promise.all([exportJWK(publicKey), exportSPKI(publicKey)])
  return { kid, privateKey, pem, jwk: { ...jwk, alg, use: 'sig', kid } }
}
