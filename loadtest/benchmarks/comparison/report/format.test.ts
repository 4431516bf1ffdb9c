import { expect, test } from 'vitest'
import { formatTable } from '../../../toolkit/markdown-table.ts'
import { formatNumber, formatTargets, isMet } from './format.ts'
import { formatRun } from './format-run.ts'
import { formatPage } from './page.ts'

const ratio = (mean: number) => ({ mean, low: mean * 0.9, high: mean * 1.1, blocks: 4 })
const atMost = (value: number, limit: number) => ({ what: 'a', value: ratio(value), limit: { at_most: limit } })

test('numbers have three significant digits, and a missing one is a dash', () => {
  expect([0.634, 1.2, 12.34, 1234.5, Number.NaN].map(formatNumber)).toEqual(['0.63', '1.20', '12.3', '1,235', '–'])
})

test('a target is met by a figure at its limit, and only on the right side of it', () => {
  expect(isMet(atMost(0.5, 0.5))).toBe(true)
  expect(isMet(atMost(0.51, 0.5))).toBe(false)
  expect(isMet({ what: 'b', value: 2_999, limit: { at_least: 3_000 } })).toBe(false)
  expect(isMet({ what: 'b', value: Number.NaN, limit: { at_least: 1 } })).toBe(false)
})

test('the table of targets shows figure, interval, target and result', () => {
  const [, , met, missed] = formatTargets([
    atMost(0.4, 0.5),
    { what: 'b', value: 745, limit: { at_least: 3_000 }, unit: '/s' },
  ]).split('\n')
  expect(met).toBe('| a | 0.40 (0.36–0.44) | ≤ 0.50 | met |')
  expect(missed).toBe('| b | 745/s | ≥ 3,000/s | **not met** |')
})

test('the first column of a table is text, the others are numbers', () => {
  expect(formatTable(['a', 'b'], [['x', '1']])).toBe('| a | b |\n| --- | --: |\n| x | 1 |')
})

const facts = {
  machine: '2 × CPU',
  command: 'npm run bench',
  date: new Date('2026-11-25T12:00:00Z'),
  minutes: 61,
  stolen_share: 0.001,
  size: { blocks: 6, slice_seconds: 3, warm_up_seconds: 6, sites: 400, users: 400_000 },
  quick: false,
  complete: true,
}
const part = {
  title: 'Part',
  text: ['Text.'],
  tables: [],
  targets: [atMost(0.7, 0.5), { ...atMost(0.4, 0.5), what: 'met one' }],
  warnings: ['the control differs.'],
}

test('a run that is a trial, or that did not end, says so', () => {
  expect(formatRun(facts, [part])).not.toMatch(/mean nothing|ended before/)
  expect(formatRun({ ...facts, complete: false }, [part])).toContain('ended before all parts')
  expect(formatRun({ ...facts, quick: true }, [part])).toContain('the figures mean nothing')
})

test('the page names command, date, missed targets and doubts', () => {
  const page = formatPage(facts, [part])
  expect(page).toContain('`npm run bench` on 25 November 2026')
  expect(page).toMatch(/## What is not better\n\n.*\n\n- a\n/)
  expect(page).not.toContain('- met one')
  expect(page).toContain('**Doubtful:** the control differs.')
})

test('a missed target shows its reason', () => {
  const missed = { ...part, targets: [{ ...atMost(0.7, 0.5), reason: 'half of it is shared' }] }
  expect(formatPage(facts, [missed])).toContain('- a. half of it is shared\n')
})
