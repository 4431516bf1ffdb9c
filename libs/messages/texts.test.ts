import { expect, test } from 'vitest'
import { compileCatalogue } from './compile.ts'
import { createTexts } from './texts.ts'

const catalogue = {
  title: 'Users',
  found: '{count, plural, =0 {No users} one {# user} other {# users}}',
  actions: { unlink: 'Unlink {provider}?' },
}
interface Parameters {
  found: { count: number }
  actions: { unlink: { provider: string } }
}
const textsIn = (language: string) =>
  createTexts<typeof catalogue, Parameters>(language, compileCatalogue(catalogue, 'users.json'))

test('a message without parameters is a string, and one with parameters a function of them', () => {
  const texts = textsIn('en')
  expect(texts.title).toBe('Users')
  expect(texts.actions.unlink({ provider: "<b>'{LINE}'" })).toBe("Unlink <b>'{LINE}'?")
})

test('plural rules and numbers are those of the language', () => {
  expect([0, 1, 2, 1_234].map((count) => textsIn('en').found({ count }))).toEqual([
    'No users',
    '1 user',
    '2 users',
    '1,234 users',
  ])
  expect([1, 1_234].map((count) => textsIn('ja').found({ count }))).toEqual(['1 users', '1,234 users'])
})

test('a message with invalid syntax is reported with its file and key', () => {
  const broken = { actions: { unlink: 'Unlink {provider?' } }
  expect(() => compileCatalogue(broken, 'en/users.json')).toThrow(
    /en\/users\.json: the message actions\.unlink is not valid/,
  )
})
