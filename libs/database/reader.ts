import pg from 'pg'
import { type Execution, runOnConnection, type Statement } from './run-statement.ts'

/** Runs look-ups: short statements that only read, outside of transactions. */
export interface Reader {
  readonly run: (statement: Statement, values: readonly unknown[]) => Promise<pg.QueryResult>
}

/** The connections of a reader. */
export interface ReaderConnections extends Reader, AsyncDisposable {
  /** Closes all connections, for example those of a primary that became a standby. The next look-up opens new ones. */
  readonly disconnect: () => void
  /**
   * Uses new connections from now on. Closes those that are being opened or have no look-up, and others when their look-ups have
   * ended.
   */
  readonly renew: () => void
  readonly countOpen: () => number
  /** Look-ups that wait for a connection. */
  readonly countWaiting: () => number
}

interface ReaderOptions {
  /** Called for each new connection. */
  readonly config: () => pg.ClientConfig
  /** Called for each new connection. */
  readonly prepare: (client: pg.Client) => void
  readonly execution: Execution
  readonly connections: number
}

interface Connection {
  readonly client: pg.Client
  isOpen: boolean
  /** Whether look-ups of this turn of the event loop are held back, so that they are one write to the network. */
  isGathering: boolean
  /** Look-ups that were sent and not answered. */
  sent: number
}

interface Lookup {
  readonly statement: Statement
  readonly values: readonly unknown[]
  readonly resolve: (result: Promise<pg.QueryResult>) => void
  readonly reject: (error: unknown) => void
}

/** Look-ups that one connection runs one after another, so that a slow one delays few others. Our choice. */
const sentPerConnection = 8

/**
 * Sends look-ups without waiting for the answers to earlier ones ("pipelining"), on a few connections. The look-ups of a moment
 * share one write to the network and one read, and need no connection of the pool.
 */
export function createReader({ config, prepare, execution, connections: most }: ReaderOptions): ReaderConnections {
  const connections = new Set<Connection>()
  const waiting: Lookup[] = []

  const close = (connection: Connection) => {
    connections.delete(connection)
    connection.client.removeAllListeners('error').on('error', () => {})
    connection.client.connection.stream.destroy()
  }
  const openConnection = async () => {
    const client = new pg.Client({ ...config(), pipeline: true })
    const connection: Connection = { client, isOpen: false, isGathering: false, sent: 0 }
    connections.add(connection)
    client.on('error', () => close(connection))
    client.on('end', () => close(connection))
    try {
      await client.connect()
      prepare(client)
      connection.isOpen = true
    } catch (error) {
      close(connection)
      if (connections.size === 0) for (const { reject } of waiting.splice(0)) reject(error)
    }
    send()
  }
  const send = () => {
    while (waiting.length > 0) {
      const connection = findConnection()
      if (connection === undefined) return
      const lookup = waiting.shift()
      if (lookup === undefined) return
      connection.sent++
      gather(connection)
      const running = runOnConnection(connection.client, lookup.statement, lookup.values, execution)
      lookup.resolve(running)
      const onEnd = () => {
        connection.sent--
        if (connection.sent === 0 && !connections.has(connection)) close(connection)
        send()
      }
      running.then(onEnd, onEnd)
    }
  }
  const gather = (connection: Connection) => {
    if (connection.isGathering) return
    connection.isGathering = true
    const { stream } = connection.client.connection
    stream.cork()
    setImmediate(() => {
      connection.isGathering = false
      stream.uncork()
    })
  }
  /** The open connection with the fewest look-ups. Opens another one if all have some. */
  const findConnection = (): Connection | undefined => {
    let [isOpening, found]: [boolean, Connection | undefined] = [false, undefined]
    for (const connection of connections) {
      if (!connection.isOpen) isOpening = true
      else if (found === undefined || connection.sent < found.sent) found = connection
    }
    if (found?.sent !== 0 && !isOpening && connections.size < most) void openConnection()
    return found !== undefined && found.sent < sentPerConnection ? found : undefined
  }

  return {
    run: (statement, values) =>
      new Promise((resolve, reject) => {
        waiting.push({ statement, values, resolve, reject })
        send()
      }),
    disconnect() {
      for (const connection of connections) close(connection)
    },
    renew() {
      for (const connection of connections) if (connection.sent === 0) close(connection)
      connections.clear()
      send()
    },
    countOpen: () => [...connections].filter(({ isOpen }) => isOpen).length,
    countWaiting: () => waiting.length,
    async [Symbol.asyncDispose]() {
      for (const connection of connections) close(connection)
      for (const { reject } of waiting.splice(0)) reject(new Error('Connection terminated: the database was closed'))
    },
  }
}
