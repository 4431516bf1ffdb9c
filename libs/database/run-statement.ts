import type pg from 'pg'
import type { MeasuredStatement, StatementRecorder } from './statement-metrics.ts'

/** A constant text with the parameters `$1`, `$2`, …, and its name at Postgres. */
export interface Statement extends MeasuredStatement {
  readonly name: string
  readonly text: string
}

/** How defined statements are run. */
export interface Execution {
  readonly recorder: StatementRecorder | undefined
  /** Whether connections prepare them, by their names. */
  readonly isPrepared: boolean
}

/** For a knex that `openDatabase` did not open. */
export const unrecorded: Execution = { recorder: undefined, isPrepared: true }

/** Runs a statement on a connection, and records its duration. */
export async function runOnConnection(
  connection: pg.Client,
  statement: Statement,
  values: readonly unknown[],
  { recorder, isPrepared }: Execution,
): Promise<pg.QueryResult> {
  const end = recorder?.(statement)
  const { name, text } = statement
  try {
    // pg types the values as mutable, but does not change them.
    const result = await connection.query({ ...(isPrepared && { name }), text, values: values as unknown[] })
    end?.(undefined)
    return result
  } catch (error) {
    end?.(error)
    throw error
  }
}
