/** A server that a service needs could not be used when it started. The message has its address, but no user and password. */
export class UnusableServerError extends Error {
  /** @param urls of one server, or of several separated by commas */
  constructor(server: 'Postgres' | 'Redis' | 'NATS', urls: string, cause: unknown) {
    const hosts = urls.split(',').map(parseHost).join(', ')
    const failure = `${server} at ${hosts} cannot be used (${findCode(cause) ?? 'no error code'})`
    super(`${failure}; check its address, its credentials, and whether it is running`, { cause })
    this.name = 'UnusableServerError'
  }
}

/** The code of an error, or of its cause. */
function findCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const code: unknown = Reflect.get(error, 'code')
  return typeof code === 'string' ? code : findCode(error.cause)
}

function parseHost(url: string): string {
  try {
    return new URL(url.includes('://') ? url : `tcp://${url}`).host
  } catch {
    return 'the configured address'
  }
}
