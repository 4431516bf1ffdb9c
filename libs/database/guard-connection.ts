import { Socket } from 'node:net'
import type pg from 'pg'

/** Error codes of a server that cannot write: read-only after a failover, disk full. */
const unwritableCodes = new Set(['25006', '53100'])

/**
 * Closes a connection whose server is silent for `silenceMs` during a statement: a server that was cut off sends neither data
 * nor an end, and without this the connection would wait forever. Also closes the connection, after its transaction, when the
 * server cannot write: a pool would otherwise keep the connections of a primary that became a standby.
 */
export function guardConnection(
  client: pg.Client | pg.PoolClient,
  { silenceMs, onUnwritable }: { readonly silenceMs: number; readonly onUnwritable?: () => void },
): void {
  const { connection } = client
  const { stream } = connection
  if (!(stream instanceof Socket)) throw new Error('The connection to Postgres has no socket.')
  stream.setTimeout(silenceMs)
  stream.on('timeout', () => {
    // pg sets this internal property to false while a statement runs.
    if (Reflect.get(client, 'readyForQuery') === false)
      stream.destroy(new Error('Connection terminated: Postgres is silent'))
    // The timer of an idle connection fires only once.
    else stream.setTimeout(silenceMs)
  })
  let unwritable = false
  connection.on('errorMessage', ({ code }: { readonly code?: string }) => {
    if (code === undefined || !unwritableCodes.has(code)) return
    unwritable = true
    onUnwritable?.()
  })
  connection.prependListener('readyForQuery', ({ status }: { readonly status: string }) => {
    if (!unwritable || status !== 'I') return
    // Pools discard a client that emitted an error, at once; the socket closes later.
    client.emit('error', new Error('Connection terminated: Postgres cannot write'))
    stream.destroy()
  })
}
