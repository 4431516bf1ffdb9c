import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { limits } from '#contracts'
import { MalformedParameters, readParameters } from './parameters.ts'

const valuesOf = (text: string) => Object.fromEntries(readParameters(text).values)

test('names and values are decoded; an empty value is absent; a name without = too', () => {
  expect(valuesOf('a=1&b=x+y%20z&c=&d&&e=%E3%81%82')).toEqual({ a: '1', b: 'x y z', e: 'あ' })
})

test('names with an empty value are known', () => {
  expect([...readParameters('a=&b=1&c&d=&d=').empty]).toEqual(['a', 'c', 'd'])
})

test('a repeated name has no value, regardless of the values', () => {
  const { values, repeated } = readParameters('a=1&b=2&a=1&c=&c=3&%62=4')
  expect([...repeated].sort()).toEqual(['a', 'b', 'c'])
  expect(values.size).toBe(0)
})

test('names of Object.prototype are ordinary names', () => {
  expect([...readParameters('__proto__=a&constructor=b&toString=c').values]).toEqual([
    ['__proto__', 'a'],
    ['constructor', 'b'],
    ['toString', 'c'],
  ])
})

describe('malformed text is rejected, not repaired', () => {
  const cases = {
    'a broken escape': 'a=%zz',
    'half an escape': 'a=%4',
    'a byte that is not UTF-8': 'a=%FF',
    'half a character': 'a=%E3%81',
    'an overlong NUL': 'a=%C0%80',
    'a lone surrogate': 'a=%ED%A0%80',
    'a NUL': 'a=%00',
    'a broken escape in a name': '%zz=a',
    'a raw byte': 'a=\u00e9',
    'too many pairs': 'a&'.repeat(limits.parameters_pairs + 1),
    'too long a text': `a=${'x'.repeat(limits.parameters_bytes)}`,
  }
  for (const [name, text] of Object.entries(cases)) {
    test(name, () => expect(() => readParameters(text)).toThrow(MalformedParameters))
  }
})

test('the output of URLSearchParams is parsed to the same values', () => {
  const value = fc
    .string({ unit: 'binary', minLength: 1 })
    .filter((text) => !text.includes('\0') && text.isWellFormed())
  fc.assert(
    fc.property(fc.dictionary(value, value, { maxKeys: 20 }), (pairs) => {
      const read = readParameters(new URLSearchParams(pairs).toString())
      expect(new Map(read.values)).toEqual(new Map(Object.entries(pairs)))
    }),
  )
})
