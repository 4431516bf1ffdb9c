const maxLength = 512

/**
 * Removes user name, password, query values and fragment from a URI, because they may contain secrets or personal data.
 * The text does not have to be a valid URL.
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
