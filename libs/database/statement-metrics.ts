import type { Knex } from 'knex'
import type { Registry } from 'prom-client'
import { createHistogram, type SpanDescription, startSpan } from '#runtime'
import { failureOf } from './trace.ts'

/** A statement in knex's events. A connection runs one at a time. */
interface KnexStatement {
  readonly __knexUid: string
  readonly sql?: string
}

const operations = new Set(['select', 'insert', 'update', 'delete', 'with'])
const transactional = new Set(['begin', 'commit', 'rollback', 'savepoint', 'release', 'set'])

/** What metrics and traces show of a defined statement. */
export interface MeasuredStatement {
  /** The label of its metric. */
  readonly operation: string
  readonly span: SpanDescription
}

/** Starts to measure and trace a defined statement. The returned function ends it. */
export type StatementRecorder = (statement: MeasuredStatement) => (error: unknown) => void

export function createStatementRecorder(registry: Registry | undefined): StatementRecorder {
  const durations = registry && createHistogram(registry, 'db_client_operation_duration_seconds')
  return ({ operation, span: description }) => {
    const startedAt = performance.now()
    const span = startSpan(description)
    return (error) => {
      const outcome = error === undefined ? 'ok' : 'error'
      durations?.observe({ db_operation_name: operation, outcome }, (performance.now() - startedAt) / 1_000)
      if (error !== undefined) span?.fail(failureOf(error))
      span?.end()
    }
  }
}

/** Measures the statements that knex builds. */
export function recordStatementMetrics(knex: Knex, registry: Registry): void {
  const durations = createHistogram(registry, 'db_client_operation_duration_seconds')
  const startedAtByConnection = new Map<string, number>()
  const end = ({ __knexUid: connection, sql }: KnexStatement, outcome: 'ok' | 'error') => {
    const startedAt = startedAtByConnection.get(connection)
    if (startedAt === undefined) return
    startedAtByConnection.delete(connection)
    durations.observe({ db_operation_name: operationOf(sql), outcome }, (performance.now() - startedAt) / 1_000)
  }
  knex.on('query', ({ __knexUid }: KnexStatement) => startedAtByConnection.set(__knexUid, performance.now()))
  knex.on('query-response', (_answer, statement: KnexStatement) => end(statement, 'ok'))
  knex.on('query-error', (_error, statement: KnexStatement) => end(statement, 'error'))
}

/** Returns the first word of the statement, if it is a common one. */
export function operationOf(sql = ''): string {
  const word = /^\s*(\w+)/.exec(sql)?.[1]?.toLowerCase() ?? ''
  if (operations.has(word)) return word
  return transactional.has(word) ? 'transaction' : 'other'
}
