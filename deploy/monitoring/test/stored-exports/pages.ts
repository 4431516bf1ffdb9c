import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { basename, join } from 'node:path'

/** Serves the stored metrics of this directory at `/<name>`: those of exporters that tests cannot run. */
export async function serveStoredExports(): Promise<{ port: number } & AsyncDisposable> {
  const server = createServer((request, response) => {
    const page = join(import.meta.dirname, `${basename(request.url ?? '')}.prom`)
    response.setHeader('content-type', 'text/plain; version=0.0.4').end(readFileSync(page))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
