import { setTimeout as delay } from 'node:timers/promises'
import type { Knex } from 'knex'

/** Serialization failure and deadlock: the whole transaction can be retried. */
const retryable = new Set(['40001', '40P01'])
const attempts = 5

/** Runs the work in a READ COMMITTED transaction and retries it after a conflict. Do not call other services in it. */
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
