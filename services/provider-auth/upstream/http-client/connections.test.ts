import { once } from 'node:events'
import { createServer as createHttpServer, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { Registry } from 'prom-client'
import { afterEach, expect, test } from 'vitest'
import { createLogger } from '#runtime'
import { createLoginUsage } from '../../usage/login-usage.ts'
import { ProviderUnavailable } from './fetch.ts'
import { connectionsPerHost, createHttpClient, type HttpClient } from './index.ts'

const stack: AsyncDisposable[] = []
afterEach(async () => {
  for (const part of stack.splice(0).reverse()) await part[Symbol.asyncDispose]()
})

/** A server on this machine, and the connections it received. */
async function listen(server: Server): Promise<{ port: number; sockets: Set<Socket> }> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => sockets.add(socket))
  server.listen(0)
  await once(server, 'listening')
  stack.push({
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  })
  // A server that listens on TCP has a port.
  return { port: (server.address() as AddressInfo).port, sockets }
}

function open(simulatorUrl?: string, simulatorInternalUrl?: string): HttpClient {
  const logger = createLogger('test', 'silent')
  const outbound = createHttpClient({
    isPrivateAllowed: () => false,
    simulatorUrl,
    simulatorInternalUrl,
    circuitOpenMs: 60_000,
    usage: createLoginUsage(),
    logger,
    registry: new Registry(),
  })
  stack.push(outbound)
  return outbound
}

const get = (outbound: HttpClient, url: string) => outbound.fetchFor('search')(url, { method: 'GET', headers: {} })

test.each([
  'localhost',
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  '0.0.0.0',
  '[::1]',
  '[::ffff:127.0.0.1]',
])('connections to %s, which is this machine, are blocked', async (host) => {
  const { port, sockets } = await listen(createServer())
  const request = get(open(), `https://${host}:${port}/`)
  await expect(request).rejects.toBeInstanceOf(ProviderUnavailable)
  await expect(request).rejects.toMatchObject({ cause: { cause: { name: 'AddressBlocked' } } })
  expect(sockets.size).toBe(0)
})

test('connections without TLS are blocked', async () => {
  const request = get(open(), 'http://8.8.8.8/')
  await expect(request).rejects.toMatchObject({ cause: { cause: { name: 'AddressBlocked' } } })
})

test('only the simulator may have any address, and only at its own port', async () => {
  const simulator = await listen(createHttpServer((_request, response) => response.end('hello')))
  const other = await listen(createServer())
  const outbound = open(`http://localhost:${simulator.port}/simulated`)
  expect(await (await get(outbound, `http://localhost:${simulator.port}/search`)).text()).toBe('hello')
  for (const scheme of ['http', 'https'])
    await expect(get(outbound, `${scheme}://localhost:${other.port}/`)).rejects.toBeInstanceOf(ProviderUnavailable)
  expect(other.sockets.size).toBe(0)
})

test('a simulator that browsers reach at another address is called at its internal one, with its own name', async () => {
  const hosts: (string | undefined)[] = []
  const simulator = await listen(
    createHttpServer(({ headers }, response) => {
      hosts.push(headers.host)
      response.end('hello')
    }),
  )
  const outbound = open('http://simulator.invalid:8090', `http://localhost:${simulator.port}`)
  expect(await (await get(outbound, 'http://simulator.invalid:8090/search')).text()).toBe('hello')
  expect(hosts).toEqual(['simulator.invalid:8090'])
})

test('a host that accepts the connection without responding times out before the call does', async () => {
  const { port } = await listen(createServer())
  const request = get(open(`https://localhost:${port}`), `https://localhost:${port}/`)
  await expect(request).rejects.toMatchObject({ cause: { cause: { code: 'UND_ERR_CONNECT_TIMEOUT' } } })
})

test('a slow provider has a bounded number of connections; further calls wait for a free one', async () => {
  const waiting: ServerResponse[] = []
  let answering = false
  const { port, sockets } = await listen(
    createHttpServer((_request, response) => void (answering ? response.end('done') : waiting.push(response))),
  )
  const fetch = open(`http://localhost:${port}`).fetchFor('search')
  const request = Array.from({ length: connectionsPerHost + 20 }, () =>
    fetch(`http://localhost:${port}/`, { method: 'GET', headers: {} }),
  )
  await expect.poll(() => waiting.length).toBe(connectionsPerHost)
  answering = true
  for (const response of waiting) response.end('done')
  expect((await Promise.all(request)).map(({ status }) => status)).toEqual(request.map(() => 200))
  expect(sockets.size).toBe(connectionsPerHost)
})

/** A provider that closes a kept connection when the next request arrives on it, as one whose time for idle connections has ended. */
async function listenWithStaleConnections() {
  const served = new Set<Socket>()
  const received: string[] = []
  const { port } = await listen(
    createHttpServer(({ method = '', socket }, response) => {
      received.push(method)
      if (served.has(socket)) return socket.resetAndDestroy()
      served.add(socket)
      response.end('hello')
    }),
  )
  const url = `http://localhost:${port}/`
  const client = open(url)
  const getText = async () => (await get(client, url)).text()
  expect(await getText()).toBe('hello')
  // The connection is free in the next turn of the event loop.
  await setImmediate()
  return { url, received, client, getText }
}

test('a GET whose kept connection was closed by the provider is sent again on another one', async () => {
  const { received, getText } = await listenWithStaleConnections()
  expect(await getText()).toBe('hello')
  expect(received).toEqual(['GET', 'GET', 'GET'])
})

test('a POST is sent once, because an authorization code is valid for one exchange', async () => {
  const { url, received, client } = await listenWithStaleConnections()
  const post = client.fetchFor('search')(url, { method: 'POST', headers: {}, body: 'code=x' })
  await expect(post).rejects.toBeInstanceOf(ProviderUnavailable)
  expect(received).toEqual(['GET', 'POST'])
})
