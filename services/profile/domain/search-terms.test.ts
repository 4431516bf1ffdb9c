import { expect, test } from 'vitest'
import { normalizePhone, toWords } from './normalize.ts'
import { parseQuery } from './search-query.ts'
import { listTerms, type SearchedData } from './search-terms.ts'

const person: SearchedData = {
  profile: {
    last_name_kanji: '田中',
    first_name_kanji: '太郎',
    last_name_kana: 'タナカ',
    first_name_kana: 'タロウ',
    last_name: 'Tanaka',
    first_name: 'Taro',
  },
  email: [{ email: 'Taro@Example.com', verified: true }],
  phone: [{ number: '+81-90-1234-5678', verified: true, type: 'mobile' }],
}

test.each([
  ['Ｊｏｓé GARCÍA', ['jose', 'garcia']],
  ['ジョン・スミス', ['じょん', 'すみす']],
  ['ﾀﾞｲｽｹ  ヴァン', ['だいすけ', 'ゔぁん']],
  ['がぎ', ['がぎ']],
  ['Straße', ['strasse']],
  ['O’Neill-Smith', ['o', 'neill', 'smith']],
  ['佐々木　一', ['佐々木', '一']],
  ['⭐️✨', []],
])('the words of %s are %j', (name, words) => expect(toWords(name)).toEqual(words))

test.each([
  ['090-1234-5678', '+819012345678'],
  ['０９０（１２３４）５６７８', '+819012345678'],
  ['+81 (0)90 1234 5678', '+819012345678'],
  ['0081 90 1234 5678', '+819012345678'],
  ['+1 415 555 0100', '+14155550100'],
  ['12', undefined],
  ['1234-abcd', undefined],
])('the phone number %s is %s', (text, number) => expect(normalizePhone(text)).toBe(number))

test('a profile has terms of the chosen fields only, each once', () => {
  expect(listTerms(person, [])).toEqual([])
  expect(listTerms(person, ['email', 'phone_number'])).toEqual(['email:taro@example.com', 'phone_number:+819012345678'])
  const names = listTerms(person, ['name'])
  expect(names).toHaveLength(new Set(names).size)
  const expected = [
    'name:田',
    'name:田中',
    'name:太郎田',
    'name:た',
    'name:たなかたろう',
    'name:ta',
    'whole_name:tarotanaka',
  ]
  expect(names).toEqual(expect.arrayContaining(expected))
  expect(names).toHaveLength(28)
  expect(names.filter((term) => [...term.slice('name:'.length)].length > 8 && term.startsWith('name:'))).toEqual([])
})

test('a condition looks up terms that every matching profile has, and compares what they leave out', () => {
  const long = { ...person, profile: { full_name: 'Alexandria Montgomery' } }
  const other = { ...person, profile: { full_name: 'Alexander Montgomery' } }
  for (const q of ['alexandr', 'ALEXANDRIA', 'montgomery alexandri', 'Alexandria M', 'alexandriamont']) {
    const conditions = parseQuery(q, ['name']).filter(({ matches }) => matches(long))
    const terms = listTerms(long, ['name'])
    expect([q, conditions.length > 0]).toEqual([q, true])
    if (q !== 'alexandriamont')
      expect([q, conditions.some((one) => one.terms.every((term) => terms.includes(term)))]).toEqual([q, true])
  }
  expect(parseQuery('alexandria', ['name']).some(({ matches }) => matches(other))).toBe(false)
  expect(parseQuery('a@example.com', ['name'])).toEqual([])
  expect(parseQuery('x', ['name']).map(({ terms }) => terms)).toEqual([['whole_name:x']])
})
