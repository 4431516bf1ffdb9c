/** A server that a service needs could not be used when it started. The message has its address, but no user and password. */
export class UnusableServerError extends Error {
  /** @param urls of one server, or of several separated by commas */
  constructor(server: 'Postgres' | 'Redis' | 'NATS', urls: string, cause: unknown) {
    const code: unknown = cause instanceof Error ? (Reflect.get(cause, 'code') ?? cause.name) : typeof cause
    const hosts = urls.split(',').map(parseHost).join(', ')
    super(
      `${server} at ${hosts} cannot be used (${code}); check its address, its credentials, and whether it is running`,
      {
        cause,
      },
    )
    this.name = 'UnusableServerError'
  }
}

function parseHost(url: string): string {
  try {
    return new URL(url.includes('://') ? url : `tcp://${url}`).host
  } catch {
    return 'the configured address'
  }
}
