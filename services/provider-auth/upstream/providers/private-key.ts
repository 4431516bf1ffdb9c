import { createPrivateKey } from 'node:crypto'
import { importPKCS8 } from 'jose'

const curveAlgs = new Map([
  ['prime256v1', 'ES256'],
  ['secp384r1', 'ES384'],
  ['secp521r1', 'ES512'],
])

/**
 * Imports a private key, PKCS #8 in PEM, to sign JWTs with the algorithm that it is for: RS256, ES256 to ES512, or EdDSA.
 *
 * @throws Error if it is none
 */
export async function importPrivateKey(pem: string): Promise<Awaited<ReturnType<typeof importPKCS8>>> {
  const { asymmetricKeyType, asymmetricKeyDetails } = createPrivateKey(pem)
  const algs = new Map([
    ['rsa', 'RS256'],
    ['ec', curveAlgs.get(asymmetricKeyDetails?.namedCurve ?? '')],
    ['ed25519', 'EdDSA'],
  ])
  const alg = algs.get(asymmetricKeyType ?? '')
  if (alg === undefined) throw new Error('The private key is of a kind that cannot sign JWTs.')
  return importPKCS8(pem, alg)
}

export async function isPrivateKeyToSign(pem: string): Promise<boolean> {
  return importPrivateKey(pem).then(
    () => true,
    () => false,
  )
}
