import { expect, test } from 'vitest'
import { tokenPrefixes } from '../domain/token-prefixes.ts'
import { toStorableClientId, toStorableUri } from './record-rejection.ts'

test.each(['slcl_0123456789', 'my-shop', 'x'.repeat(128)])('client_id %s is stored as received', (clientId) =>
  expect(toStorableClientId(clientId)).toBe(clientId),
)

const { client_id: _, ...prefixes } = tokenPrefixes
const secrets = ['sl_', 'slt_', ...Object.values(prefixes)].map((prefix) => `${prefix}s3cret`)
test.each([undefined, '', 'x'.repeat(129), 'a b', 'a\0', ...secrets])(
  'client_id %j, which is malformed or a secret, is not stored',
  (clientId) => expect(toStorableClientId(clientId)).toBeUndefined(),
)

test.each(secrets)('redirect_uri %j, which is a secret, is not stored', (secret) =>
  expect(toStorableUri(secret)).toBeUndefined(),
)

test('a redirect_uri is stored without values', () =>
  expect(toStorableUri('https://app.example/cb?session=s3cret')).toBe('https://app.example/cb?session'))
