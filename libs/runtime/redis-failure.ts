import type { EventEmitter } from 'node:events'

/** Errors of the client that do not say why. */
const vague = /^(All sentinels are unreachable|Connection is closed|Failed to refresh slots cache)/

/**
 * Follows why a client of Redis (ioredis) cannot connect. If no sentinel helps, the client's own error does not say why.
 *
 * @returns a function that returns the last failure since the last connection
 */
export function watchRedisFailures(client: Pick<EventEmitter, 'on'>): () => Error | undefined {
  let failure: Error | undefined
  client.on('sentinelError', (error: Error) => {
    failure = Object.assign(error, { code: codeOf(error) })
  })
  // A client of a cluster has an event of its own for each server.
  for (const event of ['error', 'node error'])
    client.on(event, (error: Error) => {
      if (!vague.test(error.message)) failure = error
    })
  client.on('ready', () => {
    failure = undefined
  })
  return () => failure
}

/** The client puts the code of the error, such as ECONNREFUSED or WRONGPASS, into the message. */
function codeOf({ message }: Error): string | undefined {
  if (/No such master|got an invalid reply/.test(message)) return 'the sentinels do not know this master'
  return /because (?:\w+ )?([A-Z]{5,})\b/.exec(message)?.[1]
}
