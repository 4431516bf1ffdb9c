import { expect, test } from 'vitest'
import { parseHostPattern } from './host-pattern.ts'

test.each([
  ['{site_id}.auth.example.com', 'shop.auth.example.com', { account: undefined, site_id: 'shop' }],
  ['{site_id}.{account}.auth.example.com', 'shop.demo.auth.example.com', { account: 'demo', site_id: 'shop' }],
  ['{account}.{site_id}.auth.example.com', 'demo.shop.auth.example.com', { account: 'demo', site_id: 'shop' }],
  ['{site_id}.auth.example.com', 'a.shop.auth.example.com', undefined],
  ['{site_id}.auth.example.com', 'auth.example.com', undefined],
  ['{site_id}.auth.example.com', 'shop.auth.example.com.evil.example', undefined],
  ['{site_id}.auth.example.com', 'shopXauth.example.com', undefined],
])('the pattern %s finds in %s the names %o', (pattern, host, names) => {
  expect(parseHostPattern(pattern)?.parse(host)).toEqual(names)
})

test.each(['', 'auth.example.com', '{account}.auth.example.com', 'x{site_id}.example.com', '{site_id}', '{site_id}.'])(
  '%j is no pattern',
  (pattern) => expect(parseHostPattern(pattern)).toBeUndefined(),
)

test('the host of a site has its names', () => {
  const site = { account: 'demo', site_id: 'shop' }
  expect(parseHostPattern('{site_id}.{account}.Auth.example.com')?.build(site)).toBe('shop.demo.auth.example.com')
})
