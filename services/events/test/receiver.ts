import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** A request that a receiver got. */
export interface ReceivedWebhook {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** The bytes of the response instead; then the connection ends. */
  readonly raw?: string
}

/** A customer's server. Its answer can be changed; `undefined` leaves a request without one. */
export async function startReceiver(
  answer: (webhook: ReceivedWebhook) => Answer | undefined | Promise<Answer> = () => ({ status: 204 }),
) {
  const received: ReceivedWebhook[] = []
  let respond = answer
  const server = createServer(async (request, response) => {
    const webhook = { path: request.url ?? '', headers: request.headers, body: (await buffer(request)).toString() }
    received.push(webhook)
    const chosen = await respond(webhook)
    if (chosen?.raw !== undefined) request.socket.end(chosen.raw)
    else if (chosen !== undefined) response.writeHead(chosen.status, chosen.headers).end(chosen.body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // A server that listens on TCP has a port.
  return {
    server,
    url: `http://127.0.0.1:${port}/events`,
    received,
    /** The events in the order in which they came. */
    events: () => received.map(({ body }) => JSON.parse(body)),
    answerWith(next: typeof answer) {
      respond = next
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
