import { randomUUID } from 'node:crypto'
import { type CryptoKey, exportJWK, exportSPKI, generateKeyPair, type JWK } from 'jose'
import { createExpiringMap, type ExpiringMap } from '../../expiring-map.ts'
import { createTokens } from '../../scenarios/tokens.ts'
import type { Simulator } from '../provider.ts'

/** What a person let an application do. */
export interface Grant {
  readonly client_id: string
  readonly name: string
  readonly scopes: readonly string[]
}

export interface Code extends Grant {
  readonly redirect_uri: string
  readonly nonce: string | undefined
  readonly code_challenge: string | undefined
  /** Unix time in seconds. */
  readonly auth_time: number
}

/** The portal's memory. */
export interface Portal extends Simulator {
  readonly issuer: string
  readonly codes: ExpiringMap<Code>
  readonly access_tokens: ExpiringMap<Grant>
  readonly refresh_tokens: ExpiringMap<Grant>
  readonly signing: { readonly kid: string; readonly key: CryptoKey }
  readonly certs: readonly JWK[]
  /** The same keys as PEM, by key id. */
  readonly public_keys: Readonly<Record<string, string>>
}

/** The life of a code is our choice: it is not documented. */
export const lives = {
  code_seconds: 600,
  access_token_seconds: 3_600,
  refresh_token_seconds: 28 * 86_400,
  id_token_seconds: 3_600,
} as const

export async function createPortal(simulator: Simulator): Promise<Portal> {
  const [other, current] = await Promise.all([createKey(), createKey()])
  const issuing = { provider: 'portal', scenarios: simulator.scenarios }
  return {
    ...simulator,
    issuer: `${simulator.url}/portal/yconnect/v2`,
    codes: createExpiringMap(lives.code_seconds),
    access_tokens: createTokens({ ...issuing, kind: 'access', lifetimeSeconds: lives.access_token_seconds }),
    refresh_tokens: createTokens({ ...issuing, kind: 'lasting', lifetimeSeconds: lives.refresh_token_seconds }),
    signing: { kid: current.kid, key: current.privateKey },
    // The key in use is not the first: who does not go by the key id fails.
    certs: [other.jwk, current.jwk],
    public_keys: { [other.kid]: other.pem, [current.kid]: current.pem },
  }
}

async function createKey() {
  const { publicKey, privateKey } = await generateKeyPair('RS256')
  const kid = randomUUID()
  const [jwk, pem] = await Promise.all([exportJWK(publicKey), exportSPKI(publicKey)])
  return { kid, privateKey, pem, jwk: { ...jwk, alg: 'RS256', use: 'sig', kid } }
}
