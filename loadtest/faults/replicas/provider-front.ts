import { once } from 'node:events'
import { createServer, type ServerResponse, request as sendRequest } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * What the login providers' servers do with provider-auth's requests. Pages for end users stay as they are.
 *
 * - `hang` receives requests and does not answer.
 * - `dribble` sends a body of which one byte arrives each second.
 * - `oversize` sends a body without an end.
 */
export type ProviderMode = 'forward' | 'hang' | 'dribble' | 'oversize'

/** An HTTP proxy in front of the provider simulator. */
export interface ProviderFront extends AsyncDisposable {
  readonly setMode: (mode: ProviderMode) => void
}

/** Of provider-auth's requests. */
const userAgent = 'social-login'
const chunk = Buffer.alloc(65_536, ' ')

export async function startProviderFront(port: number, simulatorPort: number): Promise<ProviderFront> {
  let mode: ProviderMode = 'forward'
  const server = createServer((request, response) => {
    if (mode !== 'forward' && request.headers['user-agent'] === userAgent) {
      void misbehaviours[mode](response)
      return
    }
    const { url: path, method, headers } = request
    const upstream = sendRequest({ host: 'localhost', port: simulatorPort, path, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    upstream.on('error', () => response.destroy())
    request.pipe(upstream)
  }).listen(port, 'localhost')
  await once(server, 'listening')
  return {
    setMode(next) {
      mode = next
    },
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

const misbehaviours: Readonly<Record<Exclude<ProviderMode, 'forward'>, (response: ServerResponse) => Promise<void>>> = {
  async hang() {},
  async dribble(response) {
    begin(response)
    while (!response.destroyed) {
      response.write(' ')
      await sleep(1_000)
    }
  },
  async oversize(response) {
    begin(response)
    while (!response.destroyed)
      if (!response.write(chunk)) await Promise.race([once(response, 'drain'), once(response, 'close')])
  },
}

function begin(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' })
}
