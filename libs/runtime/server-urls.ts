/** The host and port of a server. IPv6 addresses have no brackets. */
export interface ServerAddress {
  readonly host: string
  readonly port: number
}

/** A URL that can name several servers: `<scheme>://[<user>[:<password>]@]<host>[:<port>][,…][/<path>][?<parameters>]` */
export interface ServersUrl {
  readonly scheme: string
  /** Decoded. */
  readonly username: string | undefined
  readonly password: string | undefined
  readonly servers: readonly ServerAddress[]
  /** Decoded, without the first slash. */
  readonly path: string
  readonly parameters: URLSearchParams
}

/** A URL that cannot be used. The message has no part of the URL, which can contain a password. */
export class InvalidUrl extends Error {
  override readonly name = 'InvalidUrl'
  constructor(message: string) {
    super(message)
  }
}

const form = /^([a-z][a-z+]*):\/\/(?:([^/?#]*)@)?([^@/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?$/

/** @throws InvalidUrl */
export function parseServersUrl(text: string, defaultPort: number): ServersUrl {
  const [, scheme, user, servers = '', path = '', query = ''] = form.exec(text) ?? []
  if (scheme === undefined) throw new InvalidUrl('must be a URL')
  const [username, password] = user === undefined ? [] : splitUser(user)
  return {
    scheme,
    username: username === undefined || username === '' ? undefined : decode(username),
    password: password === undefined ? undefined : decode(password),
    servers: servers.split(',').map((server) => parseServer(server, defaultPort)),
    path: decode(path),
    parameters: new URLSearchParams(query),
  }
}

/** `<host>:<port>`, with brackets around IPv6 addresses. */
export function formatServer({ host, port }: ServerAddress): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}

function splitUser(user: string): [string, string | undefined] {
  const colon = user.indexOf(':')
  return colon === -1 ? [user, undefined] : [user.slice(0, colon), user.slice(colon + 1)]
}

function parseServer(server: string, defaultPort: number): ServerAddress {
  // `http` has rules for hosts that other schemes lack.
  const parsed = URL.parse(`http://${server}`)
  const [, port] = /:(\d+)$/.exec(server) ?? []
  if (parsed === null || parsed.pathname !== '/')
    throw new InvalidUrl('must have <host> or <host>:<port> as each server')
  return { host: parsed.hostname.replace(/^\[|\]$/g, ''), port: port === undefined ? defaultPort : Number(port) }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new InvalidUrl('must have user, password and path percent-encoded')
  }
}
