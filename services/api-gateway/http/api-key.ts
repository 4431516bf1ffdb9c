import type { IncomingMessage } from 'node:http'

/**
 * Finds the API keys of a request: `key` in the query or the form, `Authorization: Bearer` or `X-API-Key`. A request must
 * have exactly one key; a repeated `key` counts as several. With a `key` in the query, a bearer token that is none of ours is ignored,
 * because proxies in front of the caller add them.
 *
 * `key` is searched in the raw text before the parameters are parsed, so that a caller with malformed parameters gets code 6
 * rather than an error about the key.
 */
export function findApiKeys(
  request: IncomingMessage,
  query: string,
  form: string,
  isOurs: (token: string) => boolean,
): readonly string[] {
  const keys = [...parseKeys(query), ...parseKeys(form)]
  if (keys.length > 1) return keys
  // Node returns only the first of several `Authorization` fields, and joins several `X-API-Key` fields.
  const { authorization, 'x-api-key': xApiKey } = request.headers
  const bearers = authorization === undefined ? [] : (request.headersDistinct.authorization ?? []).map(findBearerToken)
  const hasKey = keys.some((key) => key !== '')
  const tokens = bearers.filter((token) => token !== undefined && (!hasKey || isOurs(token)))
  const named = [...keys, ...tokens, xApiKey?.toString()].filter((key) => key !== undefined)
  return [...new Set(named)].filter((key) => key !== '')
}

/** Returns the values of `key`, including empty ones; at most two, because two are already an error. */
export function parseKeys(text: string): string[] {
  if (!text.includes('key=')) return []
  const pairs = text.matchAll(/(?:^|&)key=([^&]*)/g).take(2)
  return [...pairs.map(([, value = '']) => decode(value))]
}

/** Keys need no percent-encoding, but callers may encode them. */
function decode(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** RFC 6750 2.1; the scheme's name is not case-sensitive (RFC 9110 11.1). Undefined for another scheme. */
export function findBearerToken(field: string): string | undefined {
  return /^Bearer +(\S+)$/i.exec(field)?.[1]
}
