import type { Knex } from 'knex'
import { type SpanDescription, startSpan } from '#runtime'

interface Statement {
  readonly __knexQueryUid: string
  readonly sql: string
}

/** Adds a span for each statement of a trace, named by operation and table. Spans contain neither its text nor its values. */
export function traceStatements(knex: Knex): void {
  const running = new Map<string, ReturnType<typeof startSpan>>()
  knex.on('query', ({ __knexQueryUid: id, sql }: Statement) => {
    const span = startSpan(describeStatement(sql))
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
    end(id, failureOf(error))
  })
}

/** The SQLSTATE of an error. */
export function failureOf(error: unknown): string {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined
  return typeof code === 'string' ? code : 'failed'
}

const operations = /\b(select|insert|update|delete|begin|commit|rollback)\b/i
const tables = /\b(?:from|into|update|join)\s+"?([a-z_][a-z_.]*)/i

/**
 * Describes the span of a statement by its first operation and its first table, after those of `with`; `other` for uncommon
 * statements.
 */
export function describeStatement(sql: string): SpanDescription {
  const main = /^\s*with\b/i.test(sql) ? removeParentheses(sql) : sql
  const [, first = 'other'] = operations.exec(main) ?? []
  const [, table] = tables.exec(main) ?? []
  const operation = first.toLowerCase()
  return {
    name: table ? `${operation} ${table}` : operation,
    kind: 'client',
    attributes: { 'db.system.name': 'postgresql', 'db.operation.name': operation, 'db.collection.name': table },
  }
}

function removeParentheses(sql: string): string {
  const removed = sql.replace(/\([^()]*\)/g, '')
  return removed === sql ? sql : removeParentheses(removed)
}
