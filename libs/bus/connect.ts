import { connect, type NatsConnection } from '@nats-io/transport-node'
import type { Registry } from 'prom-client'
import { createCounter, createGauge, type Logger, openPatiently, parseServersUrl, UnusableServerError } from '#runtime'
import { type BusFiles, connectionOptions } from './credentials.ts'
import type { LocalServices } from './local-services.ts'
import { inboxPrefix } from './messages.ts'
import { createRequests, type Requests } from './requests.ts'

/** A connection to NATS that reconnects forever. Core NATS does not store messages that are sent while it is disconnected. */
export interface Bus extends AsyncDisposable {
  readonly connection: NatsConnection
  readonly connected: () => boolean
  /** What the services of this process share; undefined if there is only one. */
  readonly localServices: LocalServices | undefined
  readonly sendRequest: Requests['send']
  /** Resolves to true as soon as the connection is up, or to false after `withinMs`. */
  readonly whenConnected: (withinMs: number) => Promise<boolean>
}

export interface BusOptions {
  /** Of the process or service, and of its user. */
  readonly name: string
  readonly logger: Logger
  readonly registry?: Registry
  /** Credentials and certificates. With credentials, the URL needs no user. */
  readonly files?: BusFiles
  /** What the services of this process share, if there are several. */
  readonly localServices?: LocalServices | undefined
}

/**
 * @param url of one server, or of several separated by commas; may contain user and password
 * @throws UnusableServerError if no server is reachable, or none answers (`openPatiently`)
 */
export async function connectBus(
  url: string,
  { name, logger, registry, files = {}, localServices }: BusOptions,
): Promise<Bus> {
  const options = {
    ...connectionOptions(url, files),
    name,
    inboxPrefix: inboxPrefix(name),
    timeout: 5_000,
    noAsyncTraces: true,
    maxReconnectAttempts: -1,
    // The server may receive rotated credentials before this process.
    ignoreAuthErrorAbort: true,
    reconnectTimeWait: 100,
    reconnectJitter: 100,
    // A server that is silent for six seconds is disconnected.
    pingInterval: 2_000,
    maxPingOut: 2,
  }
  const connection = await openPatiently('NATS', () => connect(options), logger).catch((error: unknown) => {
    const servers = url.split(',').flatMap((one) => parseServersUrl(one, 4_222).servers)
    throw new UnusableServerError('NATS', servers, error)
  })
  let connected = true
  const requests = createRequests(connection, { name, isConnected: () => connected, logger })
  const reconnectListeners = new Set<() => void>()
  if (registry) createGauge(registry, 'sociallogin_nats_connected', (gauge) => gauge.set(connected ? 1 : 0))
  const reconnects = registry && createCounter(registry, 'sociallogin_nats_reconnects_total')

  const watchStatus = async () => {
    for await (const status of connection.status()) {
      if (status.type === 'disconnect') {
        connected = false
        logger.warn('connection to NATS lost; reconnecting')
        requests.disconnect()
      }
      if (status.type === 'reconnect') {
        connected = true
        reconnects?.inc()
        logger.info('reconnected to NATS')
        for (const react of reconnectListeners) react()
      }
      // Such as a subject that this user may not publish to.
      if (status.type === 'error')
        logger.error({ error: status.error }, 'NATS reported an error; check the permissions of this user')
    }
  }
  void watchStatus()

  return {
    connection,
    localServices,
    connected: () => connected,
    sendRequest: requests.send,
    async whenConnected(withinMs) {
      if (connected) return true
      return new Promise((resolve) => {
        const finish = (isConnected: boolean) => {
          clearTimeout(timer)
          reconnectListeners.delete(onReconnect)
          resolve(isConnected)
        }
        const onReconnect = () => finish(true)
        const timer = setTimeout(() => finish(false), withinMs)
        reconnectListeners.add(onReconnect)
      })
    },
    async [Symbol.asyncDispose]() {
      connected = false
      await connection.close()
    },
  }
}
