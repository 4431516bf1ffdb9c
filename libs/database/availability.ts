import pg from 'pg'

/** Looks whether Postgres is available, on a connection of its own, and which server is the primary. */
export interface AvailabilityCheck extends AsyncDisposable {
  /** Whether a server answers and is not a standby. */
  readonly isWritable: () => Promise<boolean>
  /** The URL of the server that could write last; at first, of the first server. */
  readonly findUrl: () => string
}

interface Opened {
  readonly url: string
  readonly client: pg.Client
  readonly isWritable: boolean
}

/** Time limit for opening the connection, and for the answer. Our choice. */
const timeoutMs = 3_000

/**
 * Does not use the pool: its connections can all be in use, or be dead while new ones work. A dead connection of the check is
 * replaced at once, so that only a Postgres that accepts no new one is unavailable. If there are several servers, it is
 * also replaced when its server is a standby.
 *
 * @param urls of the servers, one of which is the primary
 * @param onReplaced called when a new connection replaced one that failed: other connections may be dead as well
 */
export function createAvailabilityCheck(
  { urls, name }: { readonly urls: readonly string[]; readonly name: string },
  onReplaced: () => void,
): AvailabilityCheck {
  let [current = ''] = urls
  let client: pg.Client | undefined
  /** Whether no connection was tried yet. */
  let isFirst = true
  let isClosed = false
  const close = () => {
    if (client !== undefined) end(client)
    client = undefined
  }
  const open = async (url: string): Promise<Opened> => {
    const opened = new pg.Client({
      connectionString: url,
      application_name: name,
      connectionTimeoutMillis: timeoutMs,
      query_timeout: timeoutMs,
    })
    opened.on('error', () => {
      if (opened === client) close()
    })
    try {
      await opened.connect()
      return { url, client: opened, isWritable: await askIfWritable(opened) }
    } catch (error) {
      end(opened)
      throw error
    }
  }
  /** Uses the server that answers first and can write; a standby only if it is the only server. */
  const replace = async () => {
    const isReplacement = !isFirst
    isFirst = false
    const opening = urls.map(open)
    const usable = opening.map(async (one) => {
      const opened = await one
      if (opened.isWritable || urls.length === 1) return opened
      throw new Error('The server is a standby.')
    })
    const connection = await Promise.any(usable).catch(() => undefined)
    if (isClosed && connection !== undefined) end(connection.client)
    for (const one of opening)
      one.then(
        (other) => {
          if (other !== connection) end(other.client)
        },
        () => {},
      )
    if (connection === undefined || isClosed) return false
    client = connection.client
    current = connection.url
    if (isReplacement) onReplaced()
    return connection.isWritable
  }
  return {
    findUrl: () => current,
    async isWritable() {
      if (client !== undefined) {
        const answer = await askIfWritable(client).catch(() => undefined)
        if (answer === true || (answer === false && urls.length === 1)) return answer
        close()
      }
      return await replace()
    },
    async [Symbol.asyncDispose]() {
      isClosed = true
      close()
    },
  }
}

async function askIfWritable(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ read_only: boolean }>(
    `select current_setting('transaction_read_only')::boolean as read_only`,
  )
  return rows[0]?.read_only === false
}

function end(client: pg.Client): void {
  client.removeAllListeners('error').on('error', () => {})
  // A dead connection does not answer the request to end it.
  client.end().catch(() => {})
}
