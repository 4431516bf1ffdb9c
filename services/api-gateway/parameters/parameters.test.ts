import { describe, expect, test } from 'vitest'
import { type Provider, providerNames } from '#contracts'
import { readParameters } from '#http'
import { flag } from './flag.ts'
import { integer } from './integer.ts'
import { Period } from './period.ts'
import { providerUserIds } from './provider-user-ids.ts'
import { targetProvider, targetProviders } from './target-provider.ts'

describe('periods', () => {
  test.each([
    ['1s', 1],
    ['90m', 5_400],
    ['24h', 86_400],
    ['30d', 2_592_000],
    ['3660d', 316_224_000],
  ])('%s is %i seconds', (text, seconds) => {
    expect(Period.parse(text)).toEqual({ text, seconds })
  })

  test.each([
    '',
    '0s',
    '-1d',
    '1.5h',
    '1',
    'd',
    '1w',
    '1D',
    ' 1d',
    '1d ',
    '+1d',
    '1e3s',
    '01d',
    '１d',
    '3661d',
    `${'9'.repeat(20)}d`,
  ])('%j is invalid', (text) => {
    expect(Period.safeParse(text).success).toBe(false)
  })
})

describe('integers', () => {
  const Limit = integer({ from: 1, to: 100 })

  test.each([
    ['1', 1],
    ['100', 100],
  ])('%s is read', (text, number) => {
    expect(Limit.parse(text)).toBe(number)
  })

  test.each(['', '0', '101', '-1', '+1', '1.0', '1e1', '0x1', ' 1', '01', '１', 'NaN', '9'.repeat(30)])(
    '%j is invalid',
    (text) => {
      expect(Limit.safeParse(text).success).toBe(false)
    },
  )
})

describe('flags', () => {
  const raised = flag('')
  const read = (text: string) =>
    raised.read('flag', readParameters(`flag=${encodeURIComponent(text)}`), providerNames())

  test.each(['true', 'yes', 'y', 'enabled'])('%s means true', (text) => {
    expect(read(text)).toBe(true)
  })

  test.each(['', 'false', 'TRUE', 'Yes', '1', 'on', ' true', 'true ', 'no'])('%j means false', (text) => {
    expect(read(text)).toBe(false)
  })
})

describe('provider_user_ids', () => {
  const parameter = providerUserIds('')
  const read = (query: string) => parameter.read('ids', readParameters(query), providerNames({ messaging: 'abc' }))
  const entries = (query: string): [Provider, string][] | undefined => {
    const ids = read(query)
    return ids && [...ids]
  }

  test('entries are read by the provider’s wire name, escaped or not', () => {
    expect(entries('ids[abc]=U1&ids%5Bsearch%5D=1%2B2')).toEqual([
      ['messaging', 'U1'],
      ['search', '1+2'],
    ])
  })

  test('entries of providers that only the site knows are read as they are', () => {
    const long = 'x'.repeat(300)
    expect(entries(`ids[constructor]=${long}&ids[search]=2`)).toEqual([
      ['constructor', long],
      ['search', '2'],
    ])
  })

  test.each(['messaging', '__proto__', 'toString', 'ABC'])('an entry of the unknown provider %j is ignored', (name) => {
    expect(entries(`ids[${name}]=U1&ids[search]=2`)).toEqual([['search', '2']])
    expect(entries(`ids[${name}]=${'x'.repeat(300)}`)).toEqual([])
  })

  test('without entries, the result is undefined', () => {
    expect(entries('ids]=3&other[abc]=4')).toBeUndefined()
  })

  test('an ID has at most 255 characters and no control characters', () => {
    expect(entries(`ids[abc]=${encodeURIComponent('あ'.repeat(255))}`)).toEqual([['messaging', 'あ'.repeat(255)]])
    expect(() => read(`ids[abc]=${'x'.repeat(256)}`)).toThrow('invalid_parameter')
    expect(() => read('ids[abc]=a%0Ab')).toThrow('invalid_parameter')
    expect(() => read('ids[abc]=')).toThrow('invalid_parameter')
  })
})

describe('target_provider', () => {
  const names = providerNames({ messaging: 'abc' })
  const several = targetProviders('')
  const readAll = (list: string) => several.read('list', readParameters(`list=${encodeURIComponent(list)}`), names)

  test('providers are read by their wire names, in the given order, each once', () => {
    expect(readAll('search')).toEqual(['search'])
    expect(readAll('search,abc,microblog')).toEqual(['search', 'messaging', 'microblog'])
    expect(readAll('abc,search,abc,search')).toEqual(['messaging', 'search'])
  })

  test.each([
    ',',
    'search,',
    ',search',
    'search,,abc',
    'search, abc',
    'search;abc',
    'Search',
    'SEARCH',
    'messaging',
    'microblog_x',
    '__proto__',
  ])('%j is invalid', (list) => {
    expect(() => readAll(list)).toThrow('invalid_parameter')
  })

  test.each(['constructor', 'search,nowhere', 'searc'])('%j can name a provider of the site', (list) => {
    expect(readAll(list)).toEqual(list.split(','))
  })

  test('a list of 10 kB is parsed in well under a millisecond', () => {
    const longest = `${'search,'.repeat(1_400)}search`
    const timed = (list: string) => {
      const given = readParameters(`list=${list}`)
      const startedAt = performance.now()
      try {
        several.read('list', given, names)
      } catch (error) {
        expect(error).toMatchObject({ fault: 'invalid_parameter' })
      }
      return performance.now() - startedAt
    }
    // The fastest of several runs, to exclude other load of the machine.
    for (const list of [longest, 'abc,'.repeat(2_500), 'x'.repeat(10_000), ','.repeat(10_000)])
      expect(Math.min(...Array.from({ length: 20 }, () => timed(list)))).toBeLessThan(1)
    expect(readAll(longest)).toEqual(['search'])
  })

  test('a single provider must not be a list', () => {
    const one = targetProvider('')
    const read = (text: string) => one.read('one', readParameters(`one=${text}`), names)
    expect(read('abc')).toBe('messaging')
    for (const text of ['abc,search', 'search,', 'ABC', 'messaging'])
      expect(() => read(text)).toThrow('invalid_parameter')
  })
})
