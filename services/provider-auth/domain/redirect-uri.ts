/** Names our answers add to a redirect address; one that has them already would be read two ways (RFC 6749 3.1.2). */
const answer_parameters = new Set([
  ...['code', 'state', 'error', 'error_description', 'error_uri', 'id_token', 'access_token', 'iss', 'response'],
  ...['status', 'token', 'reason'],
])

const loopback_hosts = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/**
 * Whether an address may be registered as redirect_uri (RFC 9700 2.1 and 2.6, RFC 8252 7): https; http for loopback; for a
 * public client also a scheme of its own with a dot in it, as `com.example.app:/callback`. It has to be written exactly as
 * URLs are serialized, so that no two parsers read it differently: that leaves no user name, dot segments, default port,
 * upper-case or international host, backslash, or character that needs an escape.
 */
export function mayBeRegistered(redirect_uri: string, kind: 'confidential' | 'public'): boolean {
  if (!/^[\x21-\x7e]+$/.test(redirect_uri) || /[#\\*]/.test(redirect_uri) || !URL.canParse(redirect_uri)) return false
  const url = new URL(redirect_uri)
  // An address that ends with its host is serialized with a slash, which asks for the same.
  if (url.href !== redirect_uri && url.href !== `${redirect_uri}/`) return false
  if (url.username !== '' || url.password !== '' || url.pathname.startsWith('//')) return false
  if ([...url.searchParams.keys()].some((name) => answer_parameters.has(name))) return false
  if (url.protocol === 'https:') return true
  if (url.protocol === 'http:') return loopback_hosts.test(url.hostname)
  return kind === 'public' && /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/.test(url.protocol)
}
