import { expect, test } from 'vitest'
import type { SiteRecord } from '#contracts'
import { hashSecret } from '#runtime'
import { createSiteTable } from './site-table.ts'

function record(site: number, keys: string[], changes: Partial<SiteRecord> = {}): SiteRecord {
  return {
    site,
    account: 'account',
    site_id: `site-${site}`,
    requests_per_window: 10_000,
    allowed_addresses: [],
    fixed_address_option: false,
    compatibility: [],
    users_may_be_stale: false,
    keys: keys.map((key) => ({ api_key_id: `id of ${key}`, key_hash: hashSecret(key) })),
    revision: site,
    ...changes,
  }
}

test('a site is found only by its active keys', () => {
  const table = createSiteTable()
  table.apply([record(1, ['a', 'b']), record(2, ['c'])])
  expect(['a', 'b', 'c'].map((key) => table.find(key)?.site)).toEqual([1, 1, 2])
  expect(['', 'd', hashSecret('a'), '__proto__'].map(table.find)).toEqual([undefined, undefined, undefined, undefined])
})

test('a change replaces the site: revoked keys are removed, other keys and sites remain', () => {
  const table = createSiteTable()
  table.apply([record(1, ['a', 'b']), record(2, ['c'])])
  table.apply([record(1, ['b', 'new'], { requests_per_window: 5, allowed_addresses: ['192.0.2.7'] })])
  expect(['a', 'b', 'new', 'c'].map((key) => table.find(key)?.site)).toEqual([undefined, 1, 1, 2])
  expect(table.find('b')?.requests_per_window).toBe(5)
  expect(table.find('b')?.isAllowed('192.0.2.8')).toBe(false)
})

test('the age of the table is the time since its last confirmation', () => {
  let nowMs = 1_000
  const table = createSiteTable(() => nowMs)
  expect(table.ageMs()).toBe(Number.POSITIVE_INFINITY)
  table.confirm(3, 900)
  expect([table.ageMs(), table.revision()]).toEqual([100, 3])
  nowMs = 32_000
  expect(table.ageMs()).toBe(31_100)
})
