import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { ProcessConfig } from './config.ts'

export interface OperationsPortOptions {
  /** In the text format of Prometheus. */
  readonly metrics: () => Promise<string>
  readonly contentType: string
  readonly hasStarted: () => boolean
  /** Names of the dependencies that are not usable. */
  readonly missing: () => readonly string[]
}

/**
 * Opens the port for probes and metrics, which must not be exposed: `/livez` (the event loop responds), `/startupz` (200
 * after the services started), `/readyz` (200, or 503 with the unavailable dependencies) and `/metrics` (Prometheus text).
 */
export async function openOperationsPort(
  { OPS_PORT: port, HOST }: Pick<ProcessConfig, 'OPS_PORT' | 'HOST'>,
  { metrics, contentType, hasStarted, missing: findMissing }: OperationsPortOptions,
): Promise<{ server: Server; port: number } & AsyncDisposable> {
  const server = createServer(async (request, response) => {
    const send = (status: number, body: string, type = 'text/plain; charset=utf-8') =>
      response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body)
    if (request.url === '/livez') return send(200, 'alive\n')
    if (request.url === '/metrics') return send(200, await metrics(), contentType)
    if (request.url === '/startupz') return hasStarted() ? send(200, 'started\n') : send(503, 'starting\n')
    if (request.url !== '/readyz') return send(404, 'Not found. Use /livez, /startupz, /readyz or /metrics.\n')
    const missing = findMissing()
    return missing.length === 0 ? send(200, 'ready\n') : send(503, `not ready: ${missing.join(', ')}\n`)
  })
  server.listen(port, HOST)
  await once(server, 'listening')
  const address = server.address()
  return {
    server,
    port: typeof address === 'object' && address !== null ? address.port : port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
