import pg from 'pg'

/** Looks whether Postgres is available, on a connection of its own. */
export interface AvailabilityCheck extends AsyncDisposable {
  /** Whether Postgres answers and is not a standby. */
  readonly isWritable: () => Promise<boolean>
}

/** Time limit for opening the connection, and for the answer. Our choice. */
const timeoutMs = 3_000

/**
 * Does not use the pool: its connections can all be in use, or be dead while new ones work. A dead connection of the check is
 * replaced at once, so that only a Postgres that accepts no new one is unavailable.
 *
 * @param onReplaced called when a new connection replaced one that failed: other connections may be dead as well
 */
export function createAvailabilityCheck(
  { url, name }: { readonly url: string; readonly name: string },
  onReplaced: () => void,
): AvailabilityCheck {
  let client: pg.Client | undefined
  let isFirst = true
  const close = () => {
    client?.removeAllListeners('error').on('error', () => {})
    // A dead connection does not answer the request to end it.
    client?.end().catch(() => {})
    client = undefined
  }
  const open = async () => {
    const opened = new pg.Client({
      connectionString: url,
      application_name: name,
      connectionTimeoutMillis: timeoutMs,
      query_timeout: timeoutMs,
    })
    opened.on('error', close)
    client = opened
    const replaces = !isFirst
    isFirst = false
    await opened.connect()
    if (replaces) onReplaced()
    return opened
  }
  const ask = async () => {
    try {
      const { rows } = await (client ?? (await open())).query<{ read_only: boolean }>(
        `select current_setting('transaction_read_only')::boolean as read_only`,
      )
      return rows[0]?.read_only === false
    } catch (error) {
      close()
      throw error
    }
  }
  return {
    async isWritable() {
      try {
        return await ask().catch(ask)
      } catch {
        return false
      }
    },
    async [Symbol.asyncDispose]() {
      close()
    },
  }
}
