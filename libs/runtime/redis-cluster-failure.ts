import { createServerOptions, type RedisConfig } from './redis-options.ts'

const deadlineMs = 1_000

/** Failures by their error, and a description of the state, for which Redis has no code. */
const descriptions: readonly [RegExp, string][] = [
  [/cluster support disabled/, 'the server is not part of a Redis Cluster'],
  [/cluster_state:fail/, 'the cluster does not serve all slots'],
]

/**
 * Finds out why a cluster cannot be used, of which its client reports only that no server helped. Asks the servers of
 * `REDIS_URL` one after another.
 *
 * @returns an error with a `code`; undefined if a server can be used
 */
export async function explainClusterFailure(config: RedisConfig): Promise<Error | undefined> {
  const { Redis } = await import('ioredis')
  for (const address of config.REDIS_URL.servers) {
    const server = new Redis({
      ...address,
      ...createServerOptions(config),
      lazyConnect: true,
      retryStrategy: null,
      connectTimeout: deadlineMs,
      commandTimeout: deadlineMs,
    })
    let failure: Error | undefined
    server.on('error', (error: Error) => {
      failure ??= error
    })
    try {
      await server.connect()
      const state = String(await server.cluster('INFO'))
      if (state.includes('cluster_state:fail')) failure = new Error(state)
    } catch (error) {
      failure ??= error instanceof Error ? error : undefined
    } finally {
      server.disconnect()
    }
    if (failure !== undefined) return withCode(failure)
  }
  return undefined
}

function withCode(error: Error): Error {
  if ('code' in error) return error
  const [, description] = descriptions.find(([pattern]) => pattern.test(error.message)) ?? []
  return Object.assign(error, { code: description ?? /^([A-Z]{4,}) /.exec(error.message)?.[1] })
}
