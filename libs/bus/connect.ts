import { connect, type NatsConnection } from '@nats-io/transport-node'
import type { Registry } from 'prom-client'
import { createCounter, createGauge, type Logger } from '#runtime'
import { type BusFiles, connectionOptions } from './credentials.ts'
import { inboxOf } from './messages.ts'

/** A connection to NATS that reconnects for ever. Core NATS only: what is asked or told while it is away is not kept. */
export interface Bus extends AsyncDisposable {
  readonly connection: NatsConnection
  readonly connected: () => boolean
  /** Calls back at every loss of the connection until the returned function is called. */
  readonly onLost: (react: () => void) => () => void
  /** Resolves at once when connected, else at the next connection; false when `withinMs` passed first. */
  readonly whenConnected: (withinMs: number) => Promise<boolean>
}

/**
 * @param url of one server or of several, separated by commas; user and password stand in it as in any URL
 * @param files of credentials and certificates; `url` may do without a user then
 * @throws when the server cannot be reached within five seconds
 */
export async function connectBus(
  url: string,
  { name, logger, registry, files = {} }: { name: string; logger: Logger; registry?: Registry; files?: BusFiles },
): Promise<Bus> {
  const connection = await connect({
    ...connectionOptions(url, files),
    name,
    inboxPrefix: inboxOf(name),
    timeout: 5_000,
    noAsyncTraces: true,
    maxReconnectAttempts: -1,
    // Credentials may be changed at the server first.
    ignoreAuthErrorAbort: true,
    reconnectTimeWait: 100,
    reconnectJitter: 100,
    pingInterval: 10_000,
    maxPingOut: 2,
  })
  const lost = new Set<() => void>()
  const back = new Set<() => void>()
  let connected = true
  if (registry) createGauge(registry, 'sociallogin_nats_connected', (gauge) => gauge.set(connected ? 1 : 0))
  const reconnects = registry && createCounter(registry, 'sociallogin_nats_reconnects_total')

  const watch = async () => {
    for await (const status of connection.status()) {
      if (status.type === 'disconnect') {
        connected = false
        logger.warn('connection to NATS lost')
        for (const react of lost) react()
      }
      if (status.type === 'reconnect') {
        connected = true
        reconnects?.inc()
        logger.info('connected to NATS again')
        for (const react of back) react()
      }
      // Such as a question that NATS does not permit this user.
      if (status.type === 'error') logger.error({ error: status.error }, 'NATS refused')
    }
  }
  void watch()

  return {
    connection,
    connected: () => connected,
    onLost(react) {
      lost.add(react)
      return () => lost.delete(react)
    },
    async whenConnected(withinMs) {
      if (connected) return true
      return new Promise((resolve) => {
        const settle = (answer: boolean) => {
          clearTimeout(timer)
          back.delete(yes)
          resolve(answer)
        }
        const yes = () => settle(true)
        const timer = setTimeout(() => settle(false), withinMs)
        back.add(yes)
      })
    },
    async [Symbol.asyncDispose]() {
      connected = false
      await connection.close()
    },
  }
}
