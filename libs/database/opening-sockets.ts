import { Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'

/** The sockets of a pool whose server has not sent anything yet. */
export interface OpeningSockets {
  /** Creates the socket of a new connection: the `stream` of its configuration. */
  readonly create: () => Socket
  /**
   * Closes them, and resolves when the pool knows. After an outage the pool would wait for their time limit, although new ones
   * could be opened, and would fail the requests that came meanwhile.
   */
  readonly close: () => Promise<void>
}

export function createOpeningSockets(): OpeningSockets {
  const sockets = new Set<Socket>()
  const forgetOpened = () => {
    for (const socket of sockets) if (socket.destroyed || socket.bytesRead > 0) sockets.delete(socket)
  }
  return {
    create() {
      forgetOpened()
      const socket = new Socket()
      sockets.add(socket)
      return socket
    },
    async close() {
      forgetOpened()
      for (const socket of sockets) socket.destroy(new Error('Connection terminated: it was opened during an outage'))
      sockets.clear()
      // In the next turn the sockets report the error, and their requests fail.
      await turn()
      await turn()
    },
  }
}
