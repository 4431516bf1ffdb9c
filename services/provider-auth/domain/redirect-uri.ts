/**
 * Parameters that our responses add to a redirect URI; a URI that already has one would be ambiguous (RFC 6749 3.1.2).
 */
const responseParameters = new Set([
  'code',
  'state',
  'error',
  'error_description',
  'error_uri',
  'id_token',
  'access_token',
  'iss',
  'response',
  'status',
  'token',
  'reason',
])

const loopbackHosts = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

type ClientKind = 'confidential' | 'public'

/**
 * Validates a redirect URI: returns the reason why it may not be registered, or undefined (RFC 9700 2.1 and 2.6, RFC
 * 8252 7). Allowed are https; http for loopback addresses; and, for public clients, private-use schemes with a dot,
 * such as `com.example.app:/callback`. The URI must equal its own serialization, so that all parsers read it the same:
 * that excludes user names, dot segments, default ports, upper-case or international hosts, backslashes and characters
 * that need escaping.
 */
export function findRedirectUriError(redirectUri: string, kind: ClientKind): string | undefined {
  if (!/^[\x21-\x7e]+$/.test(redirectUri)) return 'must contain only printable ASCII characters without spaces'
  const forbiddenCharacter = /[#\\*]/.exec(redirectUri)?.[0]
  if (forbiddenCharacter !== undefined) return `must not contain a ${forbiddenCharacters[forbiddenCharacter]}`
  if (!URL.canParse(redirectUri)) return 'must be an absolute URI'
  const url = new URL(redirectUri)
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password'
  // A URI that ends with its host is serialized with a slash, which is equivalent.
  if (url.href !== redirectUri && url.href !== `${redirectUri}/`)
    return `must be written as browsers send it: ${url.href}`
  if (url.pathname.startsWith('//')) return 'must not have a path that begins with two slashes'
  const conflicting = [...url.searchParams.keys()].find((name) => responseParameters.has(name))
  if (conflicting !== undefined) return `must not have the parameter ${conflicting}, which our responses add`
  return findSchemeError(url, kind)
}

const forbiddenCharacters: Readonly<Record<string, string>> = { '#': 'fragment', '\\': 'backslash', '*': 'wildcard' }

function findSchemeError({ protocol, hostname }: URL, kind: ClientKind): string | undefined {
  if (protocol === 'https:') return undefined
  if (protocol === 'http:')
    return loopbackHosts.test(hostname) ? undefined : 'must use https: http is allowed for localhost only'
  if (!/^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/.test(protocol)) return 'must use https'
  return kind === 'public' ? undefined : 'must use https: custom schemes are allowed for public clients only'
}
