import type { Knex } from 'knex'
import { beginSpan } from '#runtime'

interface Statement {
  readonly __knexQueryUid: string
  readonly sql: string
}

/** A span for each statement that is part of a trace, named by what it does to which table: neither its text nor its values. */
export function traceStatements(knex: Knex): void {
  const running = new Map<string, ReturnType<typeof beginSpan>>()
  knex.on('query', ({ __knexQueryUid: id, sql }: Statement) => {
    const { operation, table } = nameStatement(sql)
    const span = beginSpan({
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

/** What a statement does first, and the first table it names; `other` for what is not a usual statement. */
export function nameStatement(sql: string): { operation: string; table: string | undefined } {
  const [, operation = 'other'] = operations.exec(sql) ?? []
  const [, table] = tables.exec(sql) ?? []
  return { operation: operation.toLowerCase(), table }
}
