import { expect, test } from 'vitest'
import { parseExactJson } from './exact-json.ts'

test.each([
  ['{"id":10212345678901235}', { id: '10212345678901235' }],
  ['[-10212345678901235]', ['-10212345678901235']],
  [
    '{"ids":[9007199254740991,9007199254740992,9007199254740993]}',
    { ids: [9007199254740991, '9007199254740992', '9007199254740993'] },
  ],
  ['{"n":1e21,"f":1234567890.1234567}', { n: 1e21, f: 1234567890.1234567 }],
  ['{"text":"10212345678901235"}', { text: '10212345678901235' }],
])('of %s, whole numbers keep all their digits', (text, value) => {
  expect(parseExactJson(text)).toEqual(value)
})
