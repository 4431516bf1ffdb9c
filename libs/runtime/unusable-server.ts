import { formatServer, type ServerAddress } from './server-urls.ts'

/** A server that a service needs could not be used when it started. The message has its address, but no user and password. */
export class UnusableServerError extends Error {
  override readonly name = 'UnusableServerError'
  /** @param servers of which one must be usable */
  constructor(
    kind: 'Postgres' | 'Redis' | 'Redis Sentinel' | 'Redis Cluster' | 'NATS',
    servers: readonly ServerAddress[],
    cause: unknown,
  ) {
    const failure = `${kind} at ${servers.map(formatServer).join(', ')} cannot be used (${findCode(cause) ?? 'no error code'})`
    super(`${failure}; check its address, its credentials, and whether it is running`, { cause })
  }
}

/** The code of an error, or of its cause. */
function findCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const code: unknown = Reflect.get(error, 'code')
  return typeof code === 'string' ? code : findCode(error.cause)
}
