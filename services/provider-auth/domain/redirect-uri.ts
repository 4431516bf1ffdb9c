/** Names our answers add to a redirect address; one that has them already would be read two ways (RFC 6749 3.1.2). */
const responseParameters = new Set([
  ...['code', 'state', 'error', 'error_description', 'error_uri', 'id_token', 'access_token', 'iss', 'response'],
  ...['status', 'token', 'reason'],
])

const loopbackHosts = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

type ClientKind = 'confidential' | 'public'

/**
 * Why an address may not be registered as redirect_uri, for people; undefined when it may (RFC 9700 2.1 and 2.6, RFC 8252 7):
 * https; http for loopback; for a public client also a scheme of its own with a dot in it, as `com.example.app:/callback`. It
 * has to be written exactly as URLs are serialized, so that no two parsers read it differently: that leaves no user name, dot
 * segments, default port, upper-case or international host, backslash, or character that needs an escape.
 */
export function findRedirectUriError(redirectUri: string, kind: ClientKind): string | undefined {
  if (!/^[\x21-\x7e]+$/.test(redirectUri)) return 'has a space, a control character or one outside ASCII'
  const forbiddenCharacter = /[#\\*]/.exec(redirectUri)?.[0]
  if (forbiddenCharacter !== undefined) return `has a ${forbiddenCharacters[forbiddenCharacter]}`
  if (!URL.canParse(redirectUri)) return 'is no absolute address'
  const url = new URL(redirectUri)
  if (url.username !== '' || url.password !== '') return 'has a user name or password'
  // An address that ends with its host is serialized with a slash, which asks for the same.
  if (url.href !== redirectUri && url.href !== `${redirectUri}/`)
    return `is not written as browsers send it: ${url.href}`
  if (url.pathname.startsWith('//')) return 'has a path that begins with two slashes'
  const conflicting = [...url.searchParams.keys()].find((name) => responseParameters.has(name))
  if (conflicting !== undefined) return `has the parameter ${conflicting}, which our answers have too`
  return findSchemeError(url, kind)
}

const forbiddenCharacters: Readonly<Record<string, string>> = { '#': 'fragment', '\\': 'backslash', '*': 'wildcard' }

function findSchemeError({ protocol, hostname }: URL, kind: ClientKind): string | undefined {
  if (protocol === 'https:') return undefined
  if (protocol === 'http:')
    return loopbackHosts.test(hostname) ? undefined : 'must be https: http is for this very machine only'
  if (!/^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/.test(protocol)) return 'must be https'
  return kind === 'public' ? undefined : 'must be https: a scheme of its own is for public clients'
}
