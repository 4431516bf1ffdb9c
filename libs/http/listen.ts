import { once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { App } from './app.ts'

export interface Listener extends AsyncDisposable {
  readonly port: number
}

/** How long requests in flight may take to finish when the listener closes. Our choice. */
const finish_ms = 20_000

/**
 * Serves the app on a port (0: any free one). Disposing stops accepting, closes idle connections, tells the others by
 * `Connection: close`, and awaits the requests in flight.
 */
export async function listen(app: App, port: number, headers: Readonly<Record<string, string>>): Promise<Listener> {
  const handle = app.callback()
  let closing = false
  const server = createServer(
    // Twice the longest query, so that a query that is too long is told so by us.
    { maxHeaderSize: 32_768, headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 75_000 },
    (request, response) => {
      if (closing) response.setHeader('Connection', 'close')
      void handle(request, response)
    },
  )
  const refusal_headers = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy()
    const status = error.code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request'
    socket.end(`HTTP/1.1 ${status}\r\n${refusal_headers.join('')}Connection: close\r\nContent-Length: 0\r\n\r\n`)
  })
  server.listen(port)
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    async [Symbol.asyncDispose]() {
      closing = true
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeIdleConnections()
      await Promise.race([closed, delay(finish_ms, undefined, { ref: false })])
      server.closeAllConnections()
      await closed
    },
  }
}
