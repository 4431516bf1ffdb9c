import { createHash } from 'node:crypto'
import type { Knex } from 'knex'
import type pg from 'pg'
import type { Reader } from './reader.ts'
import { runOnConnection, type Statement, unrecorded } from './run-statement.ts'
import { operationOf } from './statement-metrics.ts'
import { describeStatement } from './trace.ts'

/** Runs statements: a pool, a transaction, or the connections for look-ups. */
export type Executor = Knex | Reader

export interface StatementResult<R> {
  readonly rows: R[]
  /** Rows that were returned or changed. */
  readonly rowCount: number | null
}

/** @throws the error of Postgres, or of the connection */
export type RunStatement<R> = (executor: Executor, values: readonly unknown[]) => Promise<StatementResult<R>>

/**
 * Defines a statement that every connection parses and plans only once: planning a look-up costs Postgres several times as
 * much as running it. Without `DATABASE_PREPARED_STATEMENTS`, each run plans it again. Statements that run rarely, or whose text varies, are built with knex.
 *
 * @param text lists its columns: with `*`, a connection could not run it again after a migration has added a column
 */
export function defineStatement<R>(text: string): RunStatement<R> {
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 20)
  const statement: Statement = { name, text, operation: operationOf(text), span: describeStatement(text) }
  // Its rows have the columns of the text.
  return async (executor, values) => (await run(executor, statement, values)) as StatementResult<R>
}

async function run(executor: Executor, statement: Statement, values: readonly unknown[]): Promise<pg.QueryResult> {
  if (typeof executor !== 'function') return executor.run(statement, values)
  // Its connection may belong to another transaction by now.
  if (isTransaction(executor) && executor.isCompleted()) throw new Error('The transaction of the statement has ended.')
  // knex does not type them. In a transaction, the connection is that of the transaction.
  const { client, userParams } = executor
  const connection: pg.Client = await client.acquireConnection()
  try {
    return await runOnConnection(connection, statement, values, userParams.execution ?? unrecorded)
  } finally {
    client.releaseConnection(connection)
  }
}

function isTransaction(executor: Knex): executor is Knex.Transaction {
  return executor.isTransaction === true
}
