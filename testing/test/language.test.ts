import { describe, expect, test } from 'vitest'
import { findAmbiguousNames } from '../exported-names.ts'
import { findListedWords } from '../language.ts'

describe('listed words', () => {
  test('are reported with file, line and replacement', () => {
    expect(findListedWords('docs/a.md', 'One.\nThe caller is told.\nNobody knows.')).toEqual([
      'docs/a.md:2: "told": use "returns", "sends", "reports" or "shows".',
      expect.stringMatching(/^docs\/a\.md:3: "Nobody": use "no one"/),
    ])
  })

  test.each([
    'The gateway returns 429.',
    'Account person-1 belongs to an end user.',
    'toldest and whomsoever are other words.',
    'The scenario has a constant arrival rate.',
  ])('are not found in "%s"', (text) => expect(findListedWords('docs/a.md', text)).toEqual([]))

  test('are found next to an exception, at their own line', () => {
    expect(findListedWords('a.ts', "// 'nobody'\n// nobody")).toEqual([expect.stringMatching(/^a\.ts:2: "nobody"/)])
  })
})

describe('exported names', () => {
  const find = (texts: Readonly<Record<string, string>>) => findAmbiguousNames(new Map(Object.entries(texts)))

  test('are reported if two files export them', () => {
    expect(find({ 'libs/a.ts': 'export const open = 1', 'services/b.ts': 'export function open() {}' })).toEqual([
      'open is exported by libs/a.ts and services/b.ts: use different names.',
    ])
  })

  test('are reported in test helpers', () => {
    const texts = { 'libs/test/a.ts': 'export async function open() {}', 'libs/test/b.ts': 'export let open = 1' }
    expect(find(texts)).toHaveLength(1)
  })

  test.each([
    ['only one file exports them', { 'a.ts': 'export const open = 1', 'b.ts': 'const open = 1' }],
    [
      'every service has one',
      { 'services/a/deps.ts': 'export type Deps = 1', 'services/b/deps.ts': 'export type Deps = 2' },
    ],
    [
      'they name a procedure of the contract',
      { 'libs/contracts/a.ts': 'export const map = 1', 'services/a/handlers/map.ts': 'export const map = 2' },
    ],
    ['a test file exports them', { 'a.ts': 'export const open = 1', 'b.test.ts': 'export const open = 1' }],
  ])('are not reported if %s', (_, texts) => expect(find(texts)).toEqual([]))
})
