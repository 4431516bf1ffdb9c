import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { openLogins } from './logins.ts'

async function timeToStop({ stop }: { stop: () => Promise<void> }): Promise<number> {
  const beganAt = performance.now()
  await stop()
  return performance.now() - beganAt
}

test('half-open and incomplete connections do not delay the stop beyond the drain time', async () => {
  await using logins = await openLogins()
  const undisturbedMs = await timeToStop(await logins.startReplica({ DRAIN_SECONDS: '1' }))
  const replica = await logins.startReplica({ DRAIN_SECONDS: '1' })
  const { exposed } = replica
  await using stack = new AsyncDisposableStack()
  const sockets = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const socket = connect({ port: exposed.port, host: 'localhost', allowHalfOpen: true })
      stack.defer(() => void socket.destroy())
      socket.on('error', () => {})
      await once(socket, 'connect')
      return socket
    }),
  )
  const [halfOpen, incomplete] = [sockets.slice(0, 10), sockets.slice(10)]
  for (const socket of halfOpen) socket.write('nonsense\r\n\r\n')
  for (const socket of incomplete) socket.write('POST /oauth2/token HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\na')
  for (const socket of halfOpen) expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 /)
  expect(await timeToStop(replica)).toBeLessThan(undisturbedMs + 5_000)
})
