import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { Registry } from 'prom-client'
import { afterEach, expect, test } from 'vitest'
import { createApp, listenHttp, readForm } from '#http'
import { createLogger, createReadiness, type ListenSettings } from '#runtime'
import { waitFor } from '#testing'

let stack = new AsyncDisposableStack()
afterEach(async () => {
  await stack.disposeAsync()
  stack = new AsyncDisposableStack()
})

/** An app that reads forms at `/form`, waits for `release` at `/slow`, and responds to anything else immediately. */
async function start(settings: Partial<ListenSettings> = {}) {
  const registry = new Registry()
  const readiness = createReadiness()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const app = createApp({
    logger: createLogger('test', 'silent'),
    registry,
    headers: {},
    renderFailure: (ctx, status) => {
      ctx.status = status
      ctx.body = 'failed'
    },
  })
  app.use(async (ctx) => {
    if (ctx.path === '/form') await readForm(ctx.req)
    if (ctx.path === '/slow') await released
    ctx.body = 'ok'
  })
  const usual = { PORT: 0, HOST: '127.0.0.1', MAX_CONNECTIONS: 100, TRUSTED_PROXY_HOPS: 0 }
  const listener = await listenHttp({ ...usual, ...settings }, { app, headers: {}, registry, readiness })
  stack.use(listener)
  /** A peer that leaves its half of the connection open after the server closed the other one. */
  const open = async (): Promise<Socket> => {
    const socket = connect({ port: listener.port, host: '127.0.0.1', allowHalfOpen: true })
    stack.defer(() => void socket.destroy())
    socket.on('error', () => {})
    await once(socket, 'connect')
    return socket
  }
  const measured = async (line: string) => (await registry.metrics()).includes(`${line}\n`)
  const connections = async () => Number(/^sociallogin_http_connections (\d+)$/m.exec(await registry.metrics())?.[1])
  return { listener, readiness, open, release, measured, connections }
}

/** Whether the server responds on this connection, rather than having closed it. */
async function isServed(socket: Socket): Promise<boolean> {
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  const [first] = await Promise.race([once(socket, 'data'), once(socket, 'close'), once(socket, 'end')])
  return first instanceof Buffer
}

test('a peer that sent an invalid request and leaves its half open is disconnected', async () => {
  const { open, connections } = await start()
  const sockets = await Promise.all(Array.from({ length: 20 }, open))
  for (const socket of sockets) socket.write('nonsense\r\n\r\n')
  const responses = await Promise.all(sockets.map((socket) => text(socket)))
  for (const response of responses) expect(response).toMatch(/^HTTP\/1\.1 400 /)
  // The peers have not closed their half.
  await expect.poll(connections).toBe(0)
})

test('408 for headers that do not arrive in time, and the connection is closed', async () => {
  const { open, connections } = await start()
  const socket = await open()
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n')
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 /)
  await expect.poll(connections).toBe(0)
})

test('a connection beyond MAX_CONNECTIONS is closed immediately; a new one is served after another was closed', async () => {
  const { open, measured } = await start({ MAX_CONNECTIONS: 3 })
  const [first, ...others] = await Promise.all(Array.from({ length: 3 }, open))
  for (const socket of [first, ...others]) expect(socket && (await isServed(socket))).toBe(true)
  expect(await isServed(await open())).toBe(false)
  await expect.poll(() => measured('sociallogin_http_connections_refused_total{reason="total"} 1')).toBe(true)
  first?.destroy()
  await waitFor(async () => expect(await isServed(await open())).toBe(true))
})

test('one peer can open MAX_CONNECTIONS_PER_ADDRESS connections; another peer is served', async () => {
  const { open, listener, measured } = await start({ MAX_CONNECTIONS_PER_ADDRESS: 3 })
  for (const socket of await Promise.all(Array.from({ length: 3 }, open))) expect(await isServed(socket)).toBe(true)
  expect(await isServed(await open())).toBe(false)
  await expect.poll(() => measured('sociallogin_http_connections_refused_total{reason="address"} 1')).toBe(true)
  const other = connect({ port: listener.port, host: '127.0.0.1', localAddress: '127.0.0.2' })
  stack.defer(() => void other.destroy())
  expect(await isServed(other)).toBe(true)
})

test.each([
  ['by default', {}, 512],
  ['behind proxies, where peers are proxies', { TRUSTED_PROXY_HOPS: 1 }, 520],
  ['switched off', { MAX_CONNECTIONS_PER_ADDRESS: 0 }, 520],
])('%s one peer can open this many connections', async (_, settings, expected) => {
  const { open, connections } = await start({ MAX_CONNECTIONS: 600, ...settings })
  await Promise.all(Array.from({ length: 520 }, open))
  await expect.poll(connections).toBe(expected)
})

test.each([
  ['said to be long', 'Content-Length: 20000000', ''],
  ['that turns out to be long', 'Transfer-Encoding: chunked', '10000\r\n'],
])('the response to a body %s has Connection: close, and the connection is closed', async (_, header, prefix) => {
  const { open, connections } = await start()
  const socket = await open()
  const response = text(socket).catch((error: unknown) => String(error))
  socket.write(`POST /form HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-www-form-urlencoded\r\n${header}\r\n\r\n`)
  socket.write(`${prefix}${'a'.repeat(65_536)}`)
  expect(await response).toMatch(/^HTTP\/1\.1 [45]\d\d [\s\S]*\r\nConnection: close\r\n/i)
  await expect.poll(connections).toBe(0)
})

test('a connection remains open if the unread body was short', async () => {
  const { open } = await start()
  const socket = await open()
  socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 20000\r\n\r\n')
  socket.write('a'.repeat(20_000))
  const [first] = await once(socket, 'data')
  expect(String(first)).toMatch(/^HTTP\/1\.1 200 /)
  expect(await isServed(socket)).toBe(true)
})

test('a process that is stopping still serves, and asks clients to open another connection', async () => {
  const { open, readiness } = await start()
  const [used, unused] = await Promise.all([open(), open()])
  expect(await isServed(used)).toBe(true)
  readiness.setPhase('stopping')
  for (const socket of [used, unused]) {
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 [\s\S]*\r\nConnection: close\r\n[\s\S]*ok$/i)
  }
})

test('a request that arrived before closing is served, although nothing of it was read yet', async () => {
  const { open, listener } = await start()
  const [used, unused] = await Promise.all([open(), open()])
  expect(await isServed(used)).toBe(true)
  const responses = [used, unused].map((socket) => {
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    return text(socket)
  })
  const closing = listener[Symbol.asyncDispose]()
  for (const response of responses)
    expect(await response).toMatch(/^HTTP\/1\.1 200 [\s\S]*\r\nConnection: close\r\n[\s\S]*ok$/i)
  await closing
})

test('closing awaits requests in flight, and neither half-open, idle nor incomplete ones', async () => {
  const { open, listener, release, connections } = await start()
  const [broken, headers, body, idle, slow] = await Promise.all([open(), open(), open(), open(), open()])
  broken.write('nonsense\r\n\r\n')
  headers.write('GET / HTTP/1.1\r\n')
  body.write('POST /form HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\na')
  expect(await isServed(idle)).toBe(true)
  slow.write('GET /slow HTTP/1.1\r\nHost: a\r\n\r\n')
  const response = text(slow)
  let closed = false
  const closing = listener[Symbol.asyncDispose]().then(() => {
    closed = true
  })
  await expect.poll(connections).toBe(1)
  expect(closed).toBe(false)
  release()
  expect(await response).toMatch(/^HTTP\/1\.1 200 [\s\S]*\r\nConnection: close\r\n/i)
  await closing
  // Long before remaining connections are destroyed.
})
