import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises'
import type { Registry } from 'prom-client'
import { createCounter, createGauge, type ListenSettings, type Readiness } from '#runtime'
import { addressGroupOf, canonicalAddress } from './address.ts'
import type { App } from './app.ts'

export interface Listener extends AsyncDisposable {
  readonly port: number
}

export interface ListenOptions {
  readonly app: App
  /** On responses to requests that cannot be parsed, which the app does not see. */
  readonly headers: Readonly<Record<string, string>>
  readonly registry: Registry
  readonly readiness: Pick<Readiness, 'isStopping'>
  /** Responds to a request that the app need not see, and returns whether it did or will. */
  readonly respondEarly?: (request: IncomingMessage, response: ServerResponse) => boolean
}

/** How long requests in flight may take to finish when the listener closes. Our choice. */
const drainTimeoutMs = 20_000
/** How long a connection without a complete request may stay open when the listener closes. Our choice. */
const incompleteTimeoutMs = 500
/** How long a peer has to read the response to a request that cannot be parsed. Our choice. */
const lingerTimeoutMs = 1_000
/** Open connections of one peer that is not a proxy. Our choice. */
const defaultPerAddress = 512
/** How often Node checks connections for `headersTimeout` and `requestTimeout`. Our choice. */
const checkIntervalMs = 2_000

/**
 * Serves the app on `PORT` (0: any free one). Connections beyond `MAX_CONNECTIONS`, or beyond
 * `MAX_CONNECTIONS_PER_ADDRESS` from one peer, are closed at once. Once the process is stopping, each response has
 * `Connection: close`, so that clients that reuse connections move to another process. Disposing stops accepting, closes idle
 * connections, and awaits the requests in flight; connections without a complete request are not awaited.
 */
export async function listenHttp(
  { PORT, HOST, MAX_CONNECTIONS, MAX_CONNECTIONS_PER_ADDRESS, TRUSTED_PROXY_HOPS }: ListenSettings,
  { app, headers, registry, readiness, respondEarly }: ListenOptions,
): Promise<Listener> {
  const handle = app.callback()
  let closing = false
  const server = createServer(
    {
      // Twice the maximum query length, so that the app can report a query that is too long.
      maxHeaderSize: 32_768,
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      keepAliveTimeout: 75_000,
      connectionsCheckingInterval: checkIntervalMs,
    },
    (request, response) => {
      if (closing || readiness.isStopping()) response.setHeader('Connection', 'close')
      if (respondEarly?.(request, response)) return
      connections.hold({ request, response })
      void handle(request, response)
    },
  )
  server.maxConnections = MAX_CONNECTIONS
  // Behind proxies the peers are the proxies.
  const perAddress = MAX_CONNECTIONS_PER_ADDRESS ?? (TRUSTED_PROXY_HOPS === 0 ? defaultPerAddress : 0)
  const connections = trackConnections(server, perAddress, registry)
  const errorHeaders = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy()
    const status = errorStatuses.get(error.code) ?? '400 Bad Request'
    socket.end(`HTTP/1.1 ${status}\r\n${errorHeaders.join('')}Connection: close\r\nContent-Length: 0\r\n\r\n`)
    // The peer may never close its half.
    const destroying = setTimeout(() => socket.destroy(), lingerTimeoutMs)
    socket.once('close', () => clearTimeout(destroying))
  })
  server.listen(PORT, HOST)
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : PORT,
    async [Symbol.asyncDispose]() {
      closing = true
      // Requests that arrived are read in the turn after this one; until then, their connections seem to be idle.
      await turn()
      await turn()
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeIdleConnections()
      connections.announceClose()
      await Promise.race([closed, delay(incompleteTimeoutMs, undefined, { ref: false })])
      connections.destroyIncomplete()
      await Promise.race([closed, delay(drainTimeoutMs - incompleteTimeoutMs, undefined, { ref: false })])
      connections.destroyAll()
      await closed
    },
  }
}

const errorStatuses: ReadonlyMap<string | undefined, string> = new Map([
  ['HPE_HEADER_OVERFLOW', '431 Request Header Fields Too Large'],
  ['ERR_HTTP_REQUEST_TIMEOUT', '408 Request Timeout'],
])

/** A request without a complete response. */
interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/** The server's open connections. Node's own list omits those whose request could not be parsed. */
function trackConnections(server: Server, perAddress: number, registry: Registry) {
  const open = new Map<Socket, Set<Exchange>>()
  const openByAddress = new Map<string, number>()
  createGauge(registry, 'sociallogin_http_connections', (gauge) => gauge.set(open.size))
  const rejected = createCounter(registry, 'sociallogin_http_connections_refused_total')

  server.on('drop', () => rejected.inc({ reason: 'total' }))
  server.on('connection', (socket) => {
    const source = addressGroupOf(canonicalAddress(socket.remoteAddress ?? ''))
    const count = openByAddress.get(source) ?? 0
    if (perAddress > 0 && count >= perAddress) {
      rejected.inc({ reason: 'address' })
      return socket.destroy()
    }
    open.set(socket, new Set())
    openByAddress.set(source, count + 1)
    socket.once('close', () => {
      open.delete(socket)
      const left = (openByAddress.get(source) ?? 1) - 1
      if (left === 0) openByAddress.delete(source)
      else openByAddress.set(source, left)
    })
  })

  return {
    hold(exchange: Exchange) {
      const exchanges = open.get(exchange.request.socket)
      exchanges?.add(exchange)
      exchange.response.once('close', () => exchanges?.delete(exchange))
    },
    announceClose() {
      for (const { response } of [...open.values()].flatMap((exchanges) => [...exchanges]))
        if (!response.headersSent) response.setHeader('Connection', 'close')
    },
    destroyIncomplete() {
      for (const [socket, exchanges] of open)
        if (![...exchanges].some(({ request }) => request.complete)) socket.destroy()
    },
    destroyAll() {
      for (const socket of open.keys()) socket.destroy()
    },
  }
}
