import { Socket } from 'node:net'
import type pg from 'pg'

const readOnlyCode = '25006'
const diskFullCode = '53100'

export type UnwritableReason = 'read-only' | 'disk full'

/**
 * Closes a connection whose server is silent for `silenceMs` during a statement: a server that was cut off sends neither data
 * nor an end, and without this the connection would wait forever. Also closes the connection, after its transaction, when the
 * server is read-only: a pool would otherwise keep the connections of a primary that became a standby.
 *
 * @param onUnwritable called when the server rejects a write
 */
export function guardConnection(
  client: pg.Client,
  {
    silenceMs,
    onUnwritable,
  }: { readonly silenceMs: number; readonly onUnwritable: (reason: UnwritableReason) => void },
): void {
  const { connection } = client
  const { stream } = connection
  if (!(stream instanceof Socket)) throw new Error('The connection to Postgres has no socket.')
  stream.setTimeout(silenceMs)
  stream.on('timeout', () => {
    // pg sets this internal property to false while a statement runs. A statement that a reader holds back was not sent yet.
    if (Reflect.get(client, 'readyForQuery') === false && stream.writableCorked === 0)
      stream.destroy(new Error('Connection terminated: Postgres is silent'))
    // The timer of an idle connection fires only once.
    else stream.setTimeout(silenceMs)
  })
  let readOnly = false
  connection.on('errorMessage', ({ code }: { readonly code?: string }) => {
    if (code === readOnlyCode) readOnly = true
    if (code === readOnlyCode) onUnwritable('read-only')
    if (code === diskFullCode) onUnwritable('disk full')
  })
  connection.prependListener('readyForQuery', ({ status }: { readonly status: string }) => {
    if (readOnly && status === 'I') discard(client, 'Postgres is read-only')
  })
}

/** Closes the connection of a pool unless it has a statement or a transaction in progress. */
export function closeIfIdle(client: pg.Client): void {
  if (Reflect.get(client, 'readyForQuery') === true && client.getTransactionStatus() === 'I')
    discard(client, 'another connection failed')
}

/** Pools discard a client that emitted an error, at once; the socket closes later. */
export function discard(client: pg.Client, reason: string): void {
  client.emit('error', new Error(`Connection terminated: ${reason}`))
  client.connection.stream.destroy()
}
