import type { Knex } from 'knex'
import { limits } from '#contracts'
import { addSeconds } from '../domain/time.ts'

interface TestKey {
  readonly test_id: string
  readonly account: string
}

/** Stores the result of a test sign-in for some minutes. */
export async function insertSignInTest(
  knex: Knex,
  { test_id, account, result, now }: TestKey & { readonly result: object; readonly now: Date },
): Promise<void> {
  const expiresAt = addSeconds(now, limits.sign_in_test_seconds)
  await knex('sign_in_tests').insert({ test_id, account, result: JSON.stringify(result), expires_at: expiresAt })
}

export async function findSignInTest<T>(
  knex: Knex,
  { test_id, account, now }: TestKey & { readonly now: Date },
): Promise<T | undefined> {
  const row = await knex('sign_in_tests')
    .where({ test_id, account })
    .where('expires_at', '>', now)
    .first<{ result: T } | undefined>('result')
  return row?.result
}
