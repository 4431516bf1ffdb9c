import { InvalidUrl, parseRedisUrl } from '#runtime'

/** The URL of the first server of a Redis Cluster, or of the one server; empty if `url` is none of these. */
export function toServerUrl(url: string): string {
  try {
    const { servers, sentinel, tls, username = '', password, database } = parseRedisUrl(url)
    const [server] = servers
    if (server === undefined || sentinel !== undefined) return ''
    const host = server.host.includes(':') ? `[${server.host}]` : server.host
    const secret = password === undefined ? '' : `:${encodeURIComponent(password)}`
    const user = username === '' && secret === '' ? '' : `${encodeURIComponent(username)}${secret}@`
    return `redis${tls ? 's' : ''}://${user}${host}:${server.port}/${database}`
  } catch (error) {
    if (error instanceof InvalidUrl) return ''
    throw error
  }
}
