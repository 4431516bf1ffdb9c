import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { oauth1Signature, parseJson, percentEncode } from '#http'
import { ProviderRequestFailed } from '../../domain/provider-client.ts'
import type { FetchFromProvider } from '../http-client/fetch.ts'

/** The secrets to sign with: the client's, and those of the end user's token if there is one. */
export interface SigningCredentials {
  readonly client_id: string
  readonly client_secret: string
  readonly token?: { readonly token: string; readonly secret: string }
}

interface Request {
  readonly method: 'GET' | 'POST'
  /** Including the query. */
  readonly url: string
  /** Protocol parameters in addition to those of every request, e.g. `oauth_verifier`. */
  readonly oauth?: Readonly<Record<string, string>>
}

/**
 * Sends a signed request (RFC 5849 3.1) and returns the text of a successful response.
 *
 * @throws OAuth1Error, or what `fetch` throws
 */
export async function sendSignedRequest(
  fetch: FetchFromProvider,
  request: Request,
  signer: SigningCredentials,
): Promise<string> {
  const { method, url } = request
  const response = await fetch(url, { method, headers: { authorization: buildAuthorizationHeader(request, signer) } })
  const text = await response.text()
  if (response.ok) return text
  throw new OAuth1Error(response.status, readErrorCode(text))
}

/** A response with an error status. */
export class OAuth1Error extends ProviderRequestFailed {
  override readonly name = 'OAuth1Error'
  readonly status: number
  /** The provider's error code, if it sent one. */
  readonly code: number | undefined

  constructor(status: number, code: number | undefined) {
    // A code is not an `error` of OAuth 2.0; `status` and `code` contain the details.
    super('')
    this.status = status
    this.code = code
  }
}

/** The `Authorization` header (RFC 5849 3.5.1). */
function buildAuthorizationHeader(
  { method, url, oauth = {} }: Request,
  { client_id, client_secret, token }: SigningCredentials,
): string {
  const protocol = {
    oauth_consumer_key: client_id,
    oauth_nonce: randomBytes(16).toString('hex'),
    oauth_signature_method: 'HMAC-SHA1',
    oauth_timestamp: String(Math.floor(Date.now() / 1_000)),
    oauth_version: '1.0',
    ...(token && { oauth_token: token.token }),
    ...oauth,
  }
  const parameters = [...new URL(url).searchParams, ...Object.entries(protocol)]
  const secrets = { client_secret, tokenSecret: token?.secret ?? '' }
  const signed = { ...protocol, oauth_signature: oauth1Signature({ method, url, parameters }, secrets) }
  const fields = Object.entries(signed).map(([name, value]) => `${name}="${percentEncode(value)}"`)
  return `OAuth ${fields.join(', ')}`
}

const Errors = z.object({ errors: z.tuple([z.object({ code: z.int() })], z.unknown()) })

function readErrorCode(text: string): number | undefined {
  return Errors.safeParse(parseJson(text)).data?.errors[0].code
}
