import type { IncomingMessage } from 'node:http'

/**
 * The API keys a request names: `key` in the query or the form, `Authorization: Bearer` or `X-API-Key`. Only a request that
 * names exactly one can be served; one that repeats `key` names several.
 *
 * `key` is looked for in plain sight, before the parameters are read as a whole, so that a caller whose other parameters
 * cannot be read is told so (code 6) rather than that the key is unknown.
 */
export function findApiKeys(request: IncomingMessage, query: string, form = ''): readonly string[] {
  const keys = [...parseKeys(query), ...parseKeys(form)]
  if (keys.length > 1) return keys
  // Node keeps only the first of several `Authorization` fields, and joins several `X-API-Key`.
  const { authorization, 'x-api-key': xApiKey } = request.headers
  const bearers = authorization === undefined ? [] : (request.headersDistinct.authorization ?? []).map(parseBearerToken)
  const named = [...keys, ...bearers, xApiKey?.toString()].filter((key) => key !== undefined)
  return [...new Set(named)].filter((key) => key !== '')
}

/** The values of `key`, the empty ones too; of many the first two, since two are one too many already. */
export function parseKeys(text: string): string[] {
  const pairs = text.matchAll(/(?:^|&)key=([^&]*)/g).take(2)
  return [...pairs.map(([, value = '']) => decode(value))]
}

/** A key has no character that needs an escape, but may be escaped all the same. */
function decode(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** RFC 6750 2.1; the scheme's name is not case-sensitive (RFC 9110 11.1). Undefined for another scheme. */
function parseBearerToken(field: string): string | undefined {
  return /^Bearer +(\S+)$/i.exec(field)?.[1]
}
