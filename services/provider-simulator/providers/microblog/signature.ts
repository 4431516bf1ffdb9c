import { type Context, oauth1Signature, readForm, readParameters } from '#http'
import { equalSecrets } from '#runtime'
import type { SimulatedClient } from '../../client-registry.ts'
import type { ExpiringMap } from '../../expiring-map.ts'
import type { OAuthServer } from '../../oauth/server.ts'
import { simulatedClock } from '../../simulated-clock.ts'
import { createNumberedError } from './errors.ts'

/** Maximum difference between clocks, in seconds. Our choice: it is not documented. */
export const clockSeconds = 300

/** A signed request of a client. */
interface SignedRequest {
  readonly client: SimulatedClient
  /** `oauth_token`, whose secret is part of the signing key. */
  readonly token: string | undefined
  /** All parameters: of the `Authorization` header, the query and the form. */
  readonly values: ReadonlyMap<string, string>
}

/**
 * Verifies a request's signature. `findSecret` returns the secret of its token; undefined if the token is unknown or
 * invalid.
 */
type VerifySignature = (
  ctx: Context,
  findSecret: (token: string | undefined, client: SimulatedClient) => string | undefined,
) => Promise<SignedRequest>

/**
 * Verifies signatures (RFC 5849 3.2) with HMAC-SHA1. The signed URL is below the simulator's base URL, whatever a proxy
 * changed.
 *
 * @param nonces used nonces, by client, token and timestamp
 * @throws SimulatedError with the provider's code
 */
export function createVerifySignature(server: OAuthServer, nonces: ExpiringMap<true>): VerifySignature {
  const { clients, dialect, url } = server
  return async (ctx, findSecret) => {
    const header = readAuthorization(ctx.get('Authorization'))
    const form = await readForm(ctx.req)
    const query = readParameters(ctx.querystring)
    if (form.repeated.size > 0 || query.repeated.size > 0) throw createNumberedError('could_not_authenticate')
    const { oauth_signature = '', realm: _, ...signed } = Object.fromEntries(header)
    const parameters = [...Object.entries(signed), ...query.values, ...form.values]
    const values = new Map(parameters)

    const client = clients.find(dialect.name, values.get('oauth_consumer_key'))
    const method = values.get('oauth_signature_method')
    if (client === undefined || method !== 'HMAC-SHA1' || (values.get('oauth_version') ?? '1.0') !== '1.0') {
      throw createNumberedError('could_not_authenticate')
    }
    const timestamp = values.get('oauth_timestamp') ?? ''
    const seconds = /^[0-9]{1,12}$/.test(timestamp) ? Number(timestamp) : 0
    if (Math.abs(Math.floor(simulatedClock.now() / 1_000) - seconds) > clockSeconds)
      throw createNumberedError('timestamp')

    const token = values.get('oauth_token')
    const tokenSecret = findSecret(token, client)
    if (tokenSecret === undefined) throw createNumberedError('token_is_over')
    const request = { method: ctx.method, url: `${url}${ctx.path}`, parameters }
    const expected = oauth1Signature(request, { client_secret: client.client_secret, tokenSecret })
    if (!equalSecrets(oauth_signature, expected)) throw createNumberedError('could_not_authenticate')
    useNonce([client.client_id, token ?? '', timestamp, values.get('oauth_nonce') ?? ''], nonces)
    return { client, token, values }
  }
}

/** Called only after the signature was verified, so that clients cannot use up the nonces of others. */
function useNonce(nonce: readonly string[], nonces: ExpiringMap<true>): void {
  const key = nonce.join(' ')
  if (nonce.at(-1) === '' || nonces.get(key) !== undefined) throw createNumberedError('could_not_authenticate')
  nonces.set(key, true)
}

/** The pairs of `Authorization: OAuth` (RFC 5849 3.5.1), decoded. */
function readAuthorization(field: string): Map<string, string> {
  const list = /^OAuth +(.*)$/i.exec(field)?.[1]
  if (list === undefined) throw createNumberedError('bad_authentication')
  const pairs = new Map<string, string>()
  for (const pair of list.split(/ *, */)) {
    const [, name, value] = /^([\w.~%-]+)="([\w.~%-]*)"$/.exec(pair) ?? []
    if (name === undefined || value === undefined || pairs.has(name)) throw createNumberedError('bad_authentication')
    pairs.set(decode(name), decode(value))
  }
  return pairs
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw createNumberedError('bad_authentication')
  }
}
