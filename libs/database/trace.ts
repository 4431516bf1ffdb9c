import type { Knex } from 'knex'
import { startSpan } from '#runtime'

interface Statement {
  readonly __knexQueryUid: string
  readonly sql: string
}

/** Adds a span for each statement of a trace, named by operation and table. Spans contain neither its text nor its values. */
export function traceStatements(knex: Knex): void {
  const running = new Map<string, ReturnType<typeof startSpan>>()
  knex.on('query', ({ __knexQueryUid: id, sql }: Statement) => {
    const { operation, table } = nameStatement(sql)
    const span = startSpan({
      name: table ? `${operation} ${table}` : operation,
      kind: 'client',
      attributes: { 'db.system.name': 'postgresql', 'db.operation.name': operation, 'db.collection.name': table },
    })
    if (span) running.set(id, span)
  })
  const end = (id: string, failure?: string) => {
    const span = running.get(id)
    if (!running.delete(id)) return
    if (failure) span?.fail(failure)
    span?.end()
  }
  knex.on('query-response', (_: unknown, { __knexQueryUid: id }: Statement) => end(id))
  knex.on('query-error', (error: unknown, { __knexQueryUid: id }: Statement) => {
    const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined
    end(id, typeof code === 'string' ? code : 'failed')
  })
}

const operations = /\b(select|insert|update|delete|begin|commit|rollback)\b/i
const tables = /\b(?:from|into|update|join)\s+"?([a-z_][a-z_.]*)/i

/** Returns the first operation and the first table of a statement; `other` for uncommon statements. */
export function nameStatement(sql: string): { operation: string; table: string | undefined } {
  const [, operation = 'other'] = operations.exec(sql) ?? []
  const [, table] = tables.exec(sql) ?? []
  return { operation: operation.toLowerCase(), table }
}
