import fc from 'fast-check'
import ipaddr from 'ipaddr.js'
import { describe, expect, test } from 'vitest'
import { compileAddresses } from './allowed-addresses.ts'

describe('the rule of allowed addresses', () => {
  test('an empty list allows every caller, also one with an unknown address', () => {
    const isAllowed = compileAddresses([])
    expect(isAllowed('192.0.2.7')).toBe(true)
    expect(isAllowed(undefined)).toBe(true)
  })

  test('a list rejects a caller with an unknown address', () => {
    expect(compileAddresses(['0.0.0.0/0', '::/0'])(undefined)).toBe(false)
  })

  test.each([
    { list: ['192.0.2.7'], in: ['192.0.2.7'], out: ['192.0.2.8', '::1'] },
    { list: ['192.0.2.0/24'], in: ['192.0.2.0', '192.0.2.255'], out: ['192.0.3.0', '192.0.1.255'] },
    { list: ['0.0.0.0/0'], in: ['8.8.8.8'], out: ['2001:db8::1'] },
    { list: ['::/0'], in: ['2001:db8::1', '::1'], out: ['192.0.2.7', '8.8.8.8'] },
    { list: ['::/64'], in: ['::1'], out: ['192.0.2.7'] },
    { list: ['0.0.0.0/0', '::/0'], in: ['2001:db8::1', '192.0.2.7'], out: [] },
    { list: ['2001:db8::/32'], in: ['2001:db8::1', '2001:db8:ffff::'], out: ['2001:db9::1', '192.0.2.7'] },
    { list: ['2001:DB8:0:0:0:0:0:1'], in: ['2001:db8::1'], out: ['2001:db8::2'] },
    { list: ['::ffff:192.0.2.7'], in: ['192.0.2.7'], out: ['192.0.2.8'] },
    { list: ['::ffff:192.0.2.0/120'], in: ['192.0.2.1'], out: ['192.0.3.1'] },
    { list: ['198.51.100.1', '2001:db8::1'], in: ['198.51.100.1', '2001:db8::1'], out: ['198.51.100.2'] },
  ])('$list', ({ list, in: inside, out: outside }) => {
    const isAllowed = compileAddresses(list)
    expect(inside.map(isAllowed)).toEqual(inside.map(() => true))
    expect(outside.map(isAllowed)).toEqual(outside.map(() => false))
  })

  test.each(['', 'garbage', '192.0.2.7/33', '2001:db8::/129', '192.0.2.7/x', '999.1.1.1', '192.0.2.7 '])(
    'a list with an invalid entry (%j) allows no address',
    (entry) => {
      const isAllowed = compileAddresses(['192.0.2.7', entry])
      expect(isAllowed('192.0.2.7')).toBe(false)
      expect(isAllowed(undefined)).toBe(false)
    },
  )

  test('agrees with the arithmetic of the block for every IPv4 address and prefix', () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.ipV4(), fc.integer({ min: 0, max: 32 }), (address, network, bits) => {
        const expected = ipaddr.IPv4.parse(address).match(ipaddr.IPv4.parse(network), bits)
        expect(compileAddresses([`${network}/${bits}`])(address)).toBe(expected)
      }),
    )
  })
})
