import type { RegisteredClient } from './client.ts'

/** `http`, an IP literal of the loopback interface, the port if there is one, and the path. */
const loopbackUri = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]))(?::([1-9]\d{0,4}))?(|\/.*)$/

/**
 * Whether a redirect URI is registered for the client, byte for byte. Only the port of a loopback IP literal may differ, and
 * only for a public client: an app listens on a port that its operating system chooses (RFC 8252 7.3 and 8.3, RFC 9700
 * 4.1.3).
 */
export function isRegisteredUri(
  redirectUri: string,
  { kind, redirect_uris }: Pick<RegisteredClient, 'kind' | 'redirect_uris'>,
): boolean {
  if (redirect_uris.includes(redirectUri)) return true
  if (kind !== 'public' || (getLoopbackPort(redirectUri) ?? 0) > maxPort) return false
  const requested = withLoopbackPort(redirectUri, null)
  return loopbackUri.test(redirectUri) && redirect_uris.some((uri) => withLoopbackPort(uri, null) === requested)
}

const maxPort = 65_535

/** The port of a loopback redirect URI; null for any other URI, or if it has none. */
export function getLoopbackPort(redirectUri: string): number | null {
  const port = loopbackUri.exec(redirectUri)?.[2]
  return port === undefined ? null : Number(port)
}

/** The URI with another port, or without one, if it is a loopback redirect URI. */
export function withLoopbackPort(redirectUri: string, port: number | null): string {
  return redirectUri.replace(
    loopbackUri,
    (_, host: string, __, path: string) => host + (port === null ? '' : `:${port}`) + path,
  )
}
