import { createHash } from 'node:crypto'
import type { Knex } from 'knex'
import type pg from 'pg'
import type { SpanDescription } from '#runtime'
import type { Reader } from './reader.ts'
import { operationOf, type StatementRecorder } from './statement-metrics.ts'
import { describeStatement } from './trace.ts'

/** Runs statements: a pool, a transaction, or the connections for look-ups. */
export type Executor = Knex | Reader

/** A constant text with the parameters `$1`, `$2`, …, and its name at Postgres. */
export interface Statement {
  readonly name: string
  readonly text: string
  /** The label of its metric. */
  readonly operation: string
  readonly span: SpanDescription
}

export interface StatementResult<R> {
  readonly rows: R[]
  /** Rows that were returned or changed. */
  readonly rowCount: number | null
}

/** @throws the error of Postgres, or of the connection */
export type RunStatement<R> = (executor: Executor, values: readonly unknown[]) => Promise<StatementResult<R>>

/**
 * Defines a statement that every connection parses and plans only once: planning a look-up costs Postgres several times as
 * much as running it. Statements that run rarely, or whose text varies, are built with knex.
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
  // knex does not type them. In a transaction, the connection is that of the transaction.
  const { client, userParams } = executor
  const connection: pg.Client = await client.acquireConnection()
  try {
    return await runOnConnection(connection, statement, values, userParams.recorder)
  } finally {
    client.releaseConnection(connection)
  }
}

/** Runs a statement on a connection, and records its duration. */
export async function runOnConnection(
  connection: pg.Client,
  statement: Statement,
  values: readonly unknown[],
  recorder: StatementRecorder | undefined,
): Promise<pg.QueryResult> {
  const end = recorder?.(statement)
  const { name, text } = statement
  try {
    // pg types the values as mutable, but does not change them.
    const result = await connection.query({ name, text, values: values as unknown[] })
    end?.(undefined)
    return result
  } catch (error) {
    end?.(error)
    throw error
  }
}
