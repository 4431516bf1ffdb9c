import type { IncomingMessage } from 'node:http'

/** `createApp` responds with its `status`. */
class BadRequest extends Error {
  override readonly name = 'BadRequest'
  readonly status = 400
}

/**
 * Rejects more than one `Host` field, of which Node would use the first (RFC 9112 3.2), and rewrites a target in absolute
 * form to origin form: its authority replaces `Host` (RFC 9112 3.2.2). Replaces NUL in the path, which Postgres rejects, by
 * U+FFFD, which no name contains, so that each endpoint responds as to an unknown name.
 *
 * @throws BadRequest
 */
export function readTarget(request: IncomingMessage): void {
  const { rawHeaders, url = '' } = request
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.toLowerCase() === 'host' && ++hosts > 1) throw new BadRequest('two Host fields')
  if (url.includes('%00')) request.url = replaceNul(url)
  const [, authority, path = ''] = /^https?:\/\/([^/?#@]+)([/?][^#]*)?$/i.exec(request.url ?? '') ?? []
  if (authority === undefined) return
  request.headers.host = authority
  request.url = path.startsWith('/') ? path : `/${path}`
}

function replaceNul(url: string): string {
  const [path = '', ...query] = url.split('?')
  return [path.replaceAll('%00', '%EF%BF%BD'), ...query].join('?')
}
