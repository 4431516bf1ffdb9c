import { InvalidUrl, parseServersUrl, type ServerAddress } from './server-urls.ts'

/** `<scheme>://<user>@`, servers, and the rest. */
const form = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^@/?#]*)([\s\S]*)$/
const defaultPort = 5_432
/** The values of `target_session_attrs` (libpq) that mean what services need anyway: a server that can write. */
const writable = ['read-write', 'primary']

/**
 * Splits `postgres://<user>:<password>@<host>[:5432][,…]/<database>?…` into one URL for each server. `target_session_attrs` can be
 * set as for libpq; services always use the server that can write.
 *
 * @throws InvalidUrl
 */
export function splitPostgresUrl(text: string): readonly string[] {
  const [, start, servers = '', rest = ''] = form.exec(text) ?? []
  if (start === undefined) throw new InvalidUrl('must be a postgres:// URL')
  const attributes = /[?&]target_session_attrs=([^&#]*)/.exec(rest)?.[1]
  if (attributes !== undefined && !writable.includes(attributes))
    throw new InvalidUrl(`must have no target_session_attrs but ${writable.join(' or ')}`)
  const urls = servers.split(',').map((server) => `${start}${server}${rest}`)
  if (urls.length > 1) parseServersUrl(text, defaultPort)
  if (urls.some((url) => !URL.canParse(url)))
    throw new InvalidUrl(
      'must be a URL with <host> or <host>:<port> as each server, and user and password percent-encoded',
    )
  return urls
}

/** The servers of URLs of `splitPostgresUrl`. */
export function listPostgresServers(urls: readonly string[]): ServerAddress[] {
  return urls.map((url) => {
    const { hostname, port } = new URL(url)
    return { host: hostname.replace(/^\[|\]$/g, '') || 'localhost', port: port === '' ? defaultPort : Number(port) }
  })
}
