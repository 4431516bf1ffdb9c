import { createHmac } from 'node:crypto'

/** A request to be signed with OAuth 1.0a (RFC 5849 3.4.1). */
export interface OAuth1Request {
  readonly method: string
  /** Query and fragment are ignored: the query's pairs belong in `parameters`. */
  readonly url: string
  /** Decoded, from the query, the form, and the `Authorization` field except `realm` and `oauth_signature`. */
  readonly parameters: Iterable<readonly [name: string, value: string]>
}

export interface OAuth1Secrets {
  readonly client_secret: string
  /** Empty if there is no token yet. */
  readonly tokenSecret: string
}

/** The `oauth_signature` of a request by HMAC-SHA1, base64 (RFC 5849 3.4.2). */
export function oauth1Signature(request: OAuth1Request, { client_secret, tokenSecret }: OAuth1Secrets): string {
  const key = `${percentEncode(client_secret)}&${percentEncode(tokenSecret)}`
  return createHmac('sha1', key).update(signatureBaseString(request)).digest('base64')
}

/** RFC 5849 3.4.1.1. */
export function signatureBaseString({ method, url, parameters }: OAuth1Request): string {
  const { origin, pathname } = new URL(url)
  return [method.toUpperCase(), origin + pathname, normalizeParameters(parameters)].map(percentEncode).join('&')
}

/** Percent-encodes all but letters, digits and `-._~`, in UTF-8 (RFC 5849 3.6). */
export function percentEncode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
}

/** Sorts by encoded name, then by encoded value (RFC 5849 3.4.1.3.2). */
function normalizeParameters(parameters: OAuth1Request['parameters']): string {
  return [...parameters]
    .map(([name, value]) => [percentEncode(name), percentEncode(value)] as const)
    .sort(([a, one], [b, other]) => compare(a, b) || compare(one, other))
    .map((pair) => pair.join('='))
    .join('&')
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
