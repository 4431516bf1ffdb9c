import { expect, test } from 'vitest'
import { declareParameters, findTranslationErrors, messagesIn } from '#testing'

const messages = (entries: object) => messagesIn(entries, { file: 'ja/users.json', path: 'users.json' })
const original = messages({
  title: 'Users',
  states: { ready: 'Ready for {name}' },
  count: '{count, plural, one {# user} other {# users of {site}}}',
})

test('a translation with the same keys and parameters has no errors', () => {
  const translation = messages({
    title: 'ユーザー',
    states: { ready: '{name}さん' },
    count: '{site}の{count, number}人',
  })
  expect(findTranslationErrors(original, translation)).toEqual([])
})

test.each([
  ['a missing message', { states: {} }, 'users.json: states.ready is missing'],
  ['an unknown message', { more: 'もっと' }, 'users.json: more is not a message'],
  ['a missing parameter', { states: { ready: '完了' } }, 'users.json: states.ready lacks the parameter name'],
  ['an unknown parameter', { title: '{name}' }, 'users.json: title has the unknown parameter name'],
  [
    'a text that is used as a number',
    { states: { ready: '{name, number}' } },
    'users.json: states.ready uses the string | number name as number',
  ],
])('%s is reported with its file and key', (_, changes, error) => {
  const entries = { title: 'ユーザー', states: { ready: '{name}' }, count: '{site}{count}', ...changes }
  expect(findTranslationErrors(original, messages(entries))).toEqual([error])
})

test.each([
  ['invalid syntax', '{name', /ja\/users\.json: title is not valid ICU MessageFormat/],
  ['a plural without the form for other numbers', '{count, plural, one {1}}', /title is not valid ICU MessageFormat/],
  ['a tag', 'See <b>this</b>', /title is not valid ICU MessageFormat \(it has the tag <b>\)/],
])('%s is reported with its file and key', (_, title, error) => {
  expect(() =>
    findTranslationErrors(original, messages({ states: { ready: '{name}' }, count: '{site}{count}', title })),
  ).toThrow(error)
})

test('the parameters of messages are declared with their types', () => {
  expect(declareParameters(original, ({ key }) => key.split('.'))).toBe(`/** Generated from the English messages. */
export interface MessageParameters {
  states: {
    ready: { name: string | number }
  }
  count: { count: number; site: string | number }
}
`)
})
