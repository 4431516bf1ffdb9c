import { expect, test } from 'vitest'
import { tokenPrefixes } from '../domain/token-prefixes.ts'
import { storableClientId } from './record-rejection.ts'

test.each(['slcl_0123456789', 'my-shop', 'x'.repeat(64)])('client_id %s is stored as received', (client_id) =>
  expect(storableClientId(client_id)).toBe(client_id),
)

const { client_id: _, ...secrets } = tokenPrefixes
test.each([
  undefined,
  '',
  'x'.repeat(65),
  'a b',
  'a\0',
  ...['sl_', 'slt_', ...Object.values(secrets)].map((prefix) => `${prefix}s3cret`),
])('client_id %j, which is malformed or a secret, is not stored', (client_id) =>
  expect(storableClientId(client_id)).toBeUndefined(),
)
