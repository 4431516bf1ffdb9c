import { setTimeout as delay } from 'node:timers/promises'
import type { Knex } from 'knex'

/** Postgres gave up a transaction so that another could go on; the whole of it may be tried again. */
const retryable = new Set(['40001', '40P01'])
const attempts = 5

/** Runs the work in a transaction at READ COMMITTED, anew when it lost against another. Never ask another service in it. */
export async function transaction<T>(knex: Knex, work: (trx: Knex.Transaction) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await knex.transaction(work)
    } catch (error) {
      const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined
      if (attempt === attempts || typeof code !== 'string' || !retryable.has(code)) throw error
      await delay(Math.random() * 20 * attempt)
    }
  }
}
