const maxLength = 512

/**
 * An address as members may see it: without user name, password, values of the query and fragment, which may hold secrets or
 * personal data. The address need not be a URL.
 */
export function redactUri(address: string): string {
  const [before = '', ...fragment] = address.split('#')
  const [path = '', ...query] = before.split('?')
  const names = query
    .join('?')
    .split('&')
    .map((pair) => pair.split('=')[0])
    .join('&')
  const whole =
    path.replace(/^([^/]*:\/\/)[^/]*@/, '$1') + (query.length > 0 ? `?${names}` : '') + (fragment.length > 0 ? '#' : '')
  // Postgres cannot store a NUL or a lone surrogate.
  return whole.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, maxLength)
}
