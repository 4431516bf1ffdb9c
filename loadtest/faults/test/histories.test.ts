import { expect, test } from 'vitest'
import { SetupError } from '#local'
import { buildChecker, checkHistories } from '../histories/check-histories.ts'
import type { HistoryInput, HistoryOutput, RecordedOperation } from '../histories/history.ts'

/** Undefined if there is no Go to build it. */
const checker = await buildChecker(() => {}).catch((error: unknown) => {
  if (!(error instanceof SetupError)) throw error
  return undefined
})

const byKey = (primaryKey: string) => ({ identifier: '', primary_key: primaryKey })
const byId = (identifier: string) => ({ identifier, primary_key: '' })
const ok: HistoryOutput = { code: 0 }
const notFound: HistoryOutput = { code: 7 }

/** An operation between two times; without an output, its outcome is unknown. */
function between(call: number, end: number, input: HistoryInput, output?: HistoryOutput): RecordedOperation {
  return { client: call, call, input, ...(output && { return: end, output }) }
}
const create = (identifier: string, primaryKey: string, accounts = {}): HistoryInput => ({
  operation: 'create_user',
  user: byId(identifier),
  primary_key: primaryKey,
  accounts,
})
const read = (primaryKey: string): HistoryInput => ({ operation: 'user_attribute', user: byKey(primaryKey) })
const shows = (identifier: string, primaryKey: string, accounts = {}): HistoryOutput => ({
  code: 0,
  identifier,
  primary_key: primaryKey,
  accounts,
})
const remove = (primaryKey: string): HistoryInput => ({ operation: 'delete_user', user: byKey(primaryKey) })
const map = (identifier: string, primaryKey: string, overwrite = false): HistoryInput => ({
  operation: 'map',
  user: byId(identifier),
  primary_key: primaryKey,
  overwrite,
})
const merge = (source: string, destination: string): HistoryInput => ({
  operation: 'merge_user',
  user: byId(source),
  destination: byId(destination),
})
const created = between(1, 2, create('a', 'k', { messaging: 'm' }), ok)

test.skipIf(checker === undefined).each<[string, RecordedOperation[], string]>([
  ['a read after a creation', [created, between(3, 4, read('k'), shows('a', 'k', { messaging: 'm' }))], 'linearizable'],
  ['a lost creation', [created, between(3, 4, read('k'), notFound)], 'not linearizable'],
  [
    'reads during a creation, the second of which is stale',
    [
      between(1, 9, create('a', 'k'), ok),
      between(2, 3, read('k'), shows('a', 'k')),
      between(4, 5, read('k'), notFound),
    ],
    'not linearizable',
  ],
  [
    'a deletion of unknown outcome that takes effect late',
    [
      created,
      between(3, 4, remove('k')),
      between(5, 6, read('k'), shows('a', 'k', { messaging: 'm' })),
      between(7, 8, read('k'), notFound),
    ],
    'linearizable',
  ],
  [
    'a deletion of unknown outcome that takes effect, and is undone',
    [
      created,
      between(3, 4, remove('k')),
      between(5, 6, read('k'), notFound),
      between(7, 8, read('k'), shows('a', 'k', { messaging: 'm' })),
    ],
    'not linearizable',
  ],
  [
    'a user deleted twice',
    [created, between(3, 6, remove('k'), ok), between(3, 6, remove('k'), ok)],
    'not linearizable',
  ],
  ['one key for two users', [created, between(3, 4, create('b', 'k'), ok)], 'not linearizable'],
  ['a key that is in use', [created, between(3, 4, create('b', 'k'), { code: 16 })], 'linearizable'],
  ['one account for two users', [created, between(3, 4, create('b', '', { messaging: 'm' }), ok)], 'not linearizable'],
  ['a mapping without overwrite', [created, between(3, 4, map('a', 'other'), { code: 8 })], 'linearizable'],
  [
    'a mapping that leaves the old key',
    [
      created,
      between(3, 4, map('a', 'other', true), ok),
      between(5, 6, read('k'), shows('a', 'k', { messaging: 'm' })),
    ],
    'not linearizable',
  ],
  [
    'a merge that moves key and accounts',
    [
      created,
      between(3, 4, create('b', '', { search: 's' }), ok),
      between(5, 6, merge('a', 'b'), ok),
      between(7, 8, read('k'), shows('b', 'k', { messaging: 'm', search: 's' })),
    ],
    'linearizable',
  ],
  [
    'a merge that loses an account',
    [
      created,
      between(3, 4, create('b', '', { search: 's' }), ok),
      between(5, 6, merge('a', 'b'), ok),
      between(7, 8, read('k'), shows('b', 'k', { search: 's' })),
    ],
    'not linearizable',
  ],
  [
    'two merges into each other',
    [
      created,
      between(3, 4, create('b', '', { search: 's' }), ok),
      between(5, 8, merge('a', 'b'), ok),
      between(5, 8, merge('b', 'a'), ok),
    ],
    'not linearizable',
  ],
])('%s', async (_, operations, verdict) => {
  expect(await checkHistories(checker ?? '', [{ seed: 1, operations }])).toEqual([{ seed: 1, verdict }])
})
