import { expect, test } from 'vitest'
import { Fault } from '#contracts'
import { isDatabaseUnavailable, translateOutages } from './outages.ts'

const coded = (code: string) => Object.assign(new Error('select 1 - what Postgres says'), { code })

test.each([
  ['a refused connection', coded('ECONNREFUSED')],
  ['a connection that was cut', new Error('select 1 - Connection terminated unexpectedly')],
  ['a pool without a free connection', new Error('Knex: Timeout acquiring a connection. The pool is probably full.')],
  ['a Postgres that shuts down', coded('57P01')],
  ['a Postgres with too many connections', coded('53300')],
  ['a full disk', coded('53100')],
  ['a server that became read-only in a failover', coded('25006')],
  ['a conflict that retries did not resolve', coded('40001')],
  ['a dropped database', coded('57P04')],
  ['an idle session that timed out', coded('57P05')],
  ['a failed disk', coded('58030')],
  ['a statement that took too long', coded('57014')],
  ['a lock that was not to be had', coded('55P03')],
])('%s is an outage', (_what, error) => {
  expect(isDatabaseUnavailable(error)).toBe(true)
})

test.each([
  ['a violated constraint', coded('23505')],
  ['a wrong statement', coded('42601')],
  ['a fault', new Fault('entity_not_found')],
  ['any other error', new TypeError('undefined is not a function')],
  ['what is no error', 'ECONNREFUSED'],
])('%s is not an outage', (_what, error) => {
  expect(isDatabaseUnavailable(error)).toBe(false)
})

test('a handler throws unavailable in an outage, rethrows other errors and returns results', async () => {
  const outage = coded('ECONNREFUSED')
  const defect = new TypeError('no')
  const handlers = translateOutages({
    answer: async (input: number, deps: { plus: number }) => input + deps.plus,
    fail: async (error: unknown) => Promise.reject(error),
  })
  expect(await handlers.answer(1, { plus: 2 })).toBe(3)
  await expect(handlers.fail(outage)).rejects.toMatchObject({ name: 'Fault', fault: 'unavailable', cause: outage })
  await expect(handlers.fail(defect)).rejects.toBe(defect)
})
