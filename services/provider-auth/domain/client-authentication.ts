/** How a token request authenticates its client (RFC 6749 2.3.1 and 3.2.1). */
export type ClientAuthentication =
  | {
      readonly method: 'client_secret_basic' | 'client_secret_post' | 'none'
      readonly client_id: string
      /** Absent for `none`. */
      readonly client_secret?: string
    }
  | { readonly error: 'client_id_missing' | 'two_methods' | 'malformed' }

/**
 * Parses the `Authorization` header and the form's `client_id` and `client_secret`. With Basic, the form may repeat the
 * client_id, as many clients do, but not the secret.
 */
export function parseClientAuthentication(
  authorization: string | undefined,
  form: { readonly client_id: string | undefined; readonly client_secret: string | undefined },
): ClientAuthentication {
  if (authorization !== undefined) {
    const basic = parseBasic(authorization)
    if (basic === undefined) return { error: 'malformed' }
    const repeats = form.client_id === undefined || form.client_id === basic.client_id
    return form.client_secret === undefined && repeats ? basic : { error: 'two_methods' }
  }
  const { client_id, client_secret } = form
  if (client_id === undefined) return { error: 'client_id_missing' }
  return client_secret === undefined
    ? { method: 'none', client_id }
    : { method: 'client_secret_post', client_id, client_secret }
}

function parseBasic(authorization: string) {
  const encoded = /^Basic +([A-Za-z0-9+/]+=*)$/i.exec(authorization)?.[1]
  if (encoded === undefined) return undefined
  const pair = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = pair.indexOf(':')
  const clientId = decode(pair.slice(0, Math.max(colon, 0)))
  const clientSecret = decode(pair.slice(colon + 1))
  if (!clientId || clientSecret === undefined) return undefined
  // An empty secret counts as none (RFC 6749 2.3.1).
  return clientSecret === ''
    ? ({ method: 'none', client_id: clientId } as const)
    : ({ method: 'client_secret_basic', client_id: clientId, client_secret: clientSecret } as const)
}

/** `application/x-www-form-urlencoded`, with printable ASCII only (RFC 6749 appendix A.1 and A.2). */
function decode(text: string): string | undefined {
  try {
    const decoded = decodeURIComponent(text.replaceAll('+', ' '))
    return /^[\x20-\x7e]*$/.test(decoded) ? decoded : undefined
  } catch {
    return undefined
  }
}
