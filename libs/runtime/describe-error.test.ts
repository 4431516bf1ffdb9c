import { expect, test } from 'vitest'
import { z } from 'zod'
import { describeError } from './describe-error.ts'

test('an error with a code is reduced to kind, code and stack, because messages and details can contain values', () => {
  const error = Object.assign(new Error('insert … Key (primary_key)=(ada@example.com) already exists'), {
    code: '23505',
    constraint: 'users_primary_key',
    detail: 'Key (primary_key)=(ada@example.com) already exists.',
  })
  const described = describeError(new Error('Saving failed.', { cause: error }))
  expect(described).toMatchObject({
    message: 'Saving failed.',
    cause: { code: '23505', constraint: 'users_primary_key' },
  })
  expect(JSON.stringify(described)).not.toContain('ada@example.com')
})

test('a schema error is reduced to path and kind, without the value', () => {
  const { error } = z.object({ email: z.email() }).safeParse({ email: 'not-an-address' })
  expect(describeError(error)).toMatchObject({ issues: [{ path: 'email', code: 'invalid_format' }] })
  expect(JSON.stringify(describeError(error))).not.toContain('not-an-address')
})

test('a thrown value that is not an error is described by its type', () => {
  expect(describeError('secret')).toEqual({ kind: 'string' })
})
