import { setTimeout as delay } from 'node:timers/promises'
import type { Knex } from 'knex'
import type pg from 'pg'
import { discard } from './guard-connection.ts'
import { type Execution, runOnConnection, type Statement, unrecorded } from './run-statement.ts'
import { describeStatement } from './trace.ts'

/** Serialization failure and deadlock: the whole transaction can be retried. */
const retryable = new Set(['40001', '40P01'])
const attempts = 5

/**
 * Runs the work in a READ COMMITTED transaction and retries it after a conflict. Do not call other services in it.
 *
 * @param work its `trx` runs defined statements, builders of a table (`trx('users')`) and `trx.raw`. `knex.transaction` has all
 *   of Knex, and takes half as much CPU time again, because it builds an instance of Knex each time (ADR 0055).
 */
export async function transaction<T>(knex: Knex, work: (trx: Knex.Transaction) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await runOnce(knex, work)
    } catch (error) {
      const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined
      if (attempt === attempts || typeof code !== 'string' || !retryable.has(code)) throw error
      await delay(Math.random() * 20 * attempt)
    }
  }
}

const [begin, commit, rollback] = [describe('begin'), describe('commit'), describe('rollback')]

function describe(text: string): Statement {
  return { name: text, text, operation: 'transaction', span: describeStatement(text) }
}

async function runOnce<T>(knex: Knex, work: (trx: Knex.Transaction) => Promise<T>): Promise<T> {
  // knex does not type them.
  const { client, userParams } = knex
  const connection: pg.Client = await client.acquireConnection()
  const execution: Execution = { recorder: (userParams.execution ?? unrecorded).recorder, isPrepared: false }
  const run = (statement: Statement) => runOnConnection(connection, statement, [], execution)
  const { trx, end } = bindTo(connection, knex)
  try {
    await run(begin)
    const result = await work(trx).finally(end)
    await run(commit)
    return result
  } catch (error) {
    // The pool must not reuse a connection with an open transaction.
    await run(rollback).catch(() => discard(connection, 'a rollback failed'))
    throw error
  } finally {
    client.releaseConnection(connection)
  }
}

/** What stores use of a transaction, on a connection: tables, `raw`, `fn`, and what `defineStatement` needs. */
function bindTo(connection: pg.Client, knex: Knex): { readonly trx: Knex.Transaction; readonly end: () => void } {
  let isEnded = false
  // A statement that is late would run in the next transaction of the connection.
  const query = (...input: Parameters<pg.Client['query']>): unknown => {
    if (isEnded) throw new Error('The transaction of the statement has ended.')
    return connection.query(...input)
  }
  const own: pg.Client = Object.create(connection, { query: { value: query } })
  const trx = Object.assign((table: string) => knex(table).connection(own), {
    raw: (...input: Parameters<Knex['raw']>) => knex.raw(...input).connection(own),
    fn: knex.fn,
    isTransaction: true,
    isCompleted: () => isEnded,
    userParams: knex.userParams,
    client: { acquireConnection: async () => own, releaseConnection: () => {} },
  })
  // The rest of Knex is missing, so a store that uses it fails in its first test.
  return { trx: trx as unknown as Knex.Transaction, end: () => (isEnded = true) }
}
