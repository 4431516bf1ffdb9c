import { type Context, oauth1Signature, readForm, readParameters } from '#http'
import { equalSecrets } from '#runtime'
import type { Client } from '../../clients.ts'
import { nowSeconds } from '../../oauth.ts'
import { NumberedError } from './errors.ts'
import { lives, type Microblog } from './state.ts'

/** A request that its application has signed. */
export interface Signed {
  readonly client: Client
  /** `oauth_token`, whose secret was signed with. */
  readonly token: string | undefined
  /** All parameters: of the `Authorization` field, of the query and of the form. */
  readonly values: ReadonlyMap<string, string>
}

/**
 * Checks a request's signature (RFC 5849 3.2) with HMAC-SHA1. The signed address is the one below the simulator's own,
 * whatever a proxy made of it.
 *
 * @param secretOf the secret of the request's token; undefined: the token is not known or is over
 * @throws NumberedError
 */
export async function verifySignature(
  ctx: Context,
  secretOf: (token: string | undefined, client: Client) => string | undefined,
  microblog: Microblog,
): Promise<Signed> {
  const header = readAuthorization(ctx.get('Authorization'))
  const form = await readForm(ctx.req)
  const query = readParameters(ctx.querystring)
  if (form.repeated.size > 0 || query.repeated.size > 0) throw new NumberedError('could_not_authenticate')
  const { oauth_signature = '', realm: _, ...signed } = Object.fromEntries(header)
  const parameters = [...Object.entries(signed), ...query.values, ...form.values]
  const values = new Map(parameters)

  const client = microblog.clients.find('microblog', values.get('oauth_consumer_key'))
  const method = values.get('oauth_signature_method')
  if (client === undefined || method !== 'HMAC-SHA1' || (values.get('oauth_version') ?? '1.0') !== '1.0') {
    throw new NumberedError('could_not_authenticate')
  }
  const timestamp = values.get('oauth_timestamp') ?? ''
  const seconds = /^[0-9]{1,12}$/.test(timestamp) ? Number(timestamp) : 0
  if (Math.abs(nowSeconds() - seconds) > lives.clock_seconds) throw new NumberedError('timestamp')

  const token = values.get('oauth_token')
  const token_secret = secretOf(token, client)
  if (token_secret === undefined) throw new NumberedError('token_is_over')
  const request = { method: ctx.method, url: `${microblog.url}${ctx.path}`, parameters }
  const expected = oauth1Signature(request, { client_secret: client.client_secret, token_secret })
  if (!equalSecrets(oauth_signature, expected)) throw new NumberedError('could_not_authenticate')
  useNonce([client.client_id, token ?? '', timestamp, values.get('oauth_nonce') ?? ''], microblog)
  return { client, token, values }
}

/** Counted for signatures that are right, so that nobody can use up another's nonces. */
function useNonce(nonce: readonly string[], { nonces }: Microblog): void {
  const key = nonce.join(' ')
  if (nonce.at(-1) === '' || nonces.get(key) !== undefined) throw new NumberedError('could_not_authenticate')
  nonces.set(key, true)
}

/** The pairs of `Authorization: OAuth` (RFC 5849 3.5.1), decoded. */
function readAuthorization(field: string): Map<string, string> {
  const list = /^OAuth +(.*)$/i.exec(field)?.[1]
  if (list === undefined) throw new NumberedError('bad_authentication')
  const pairs = new Map<string, string>()
  for (const pair of list.split(/ *, */)) {
    const [, name, value] = /^([\w.~%-]+)="([\w.~%-]*)"$/.exec(pair) ?? []
    if (name === undefined || value === undefined || pairs.has(name)) throw new NumberedError('bad_authentication')
    pairs.set(decode(name), decode(value))
  }
  return pairs
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new NumberedError('bad_authentication')
  }
}
