import type { IncomingMessage } from 'node:http'
import { describe, expect, test } from 'vitest'
import { addressGroupOf, callerAddress, canonicalAddress } from './address.ts'

function request(peer: string, forwarded?: string): IncomingMessage {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
  // Only these two are read.
  return { socket: { remoteAddress: peer }, headers } as unknown as IncomingMessage
}

describe('the caller is the peer, or the entry of the outermost trusted proxy', () => {
  test('without proxies the header is ignored', () => {
    expect(callerAddress(request('192.0.2.1', '203.0.113.9'), 0)).toBe('192.0.2.1')
  })
  test('one proxy: the last entry, regardless of forged entries before it', () => {
    expect(callerAddress(request('10.0.0.1', `${'6.6.6.6, '.repeat(50)}203.0.113.9`), 1)).toBe('203.0.113.9')
  })
  test('two proxies: the last but one', () => {
    expect(callerAddress(request('10.0.0.1', '6.6.6.6, 203.0.113.9, 10.0.0.2'), 2)).toBe('203.0.113.9')
  })
  test.each([
    ['192.0.2.1:80', '192.0.2.1'],
    ['[2001:db8::1]:65535', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[::ffff:192.0.2.1]:80', '192.0.2.1'],
  ])('%s with a port is %s', (entry, address) => {
    expect(callerAddress(request('10.0.0.1', entry), 1)).toBe(address)
  })
  test.each(['192.0.2.1:', '192.0.2.1:x', '[192.0.2.1]:80', '2001:db8::1]:80', '[2001:db8::1', '[]:80'])(
    '%s is not an address',
    (entry) => {
      expect(callerAddress(request('10.0.0.1', entry), 1)).toBeUndefined()
    },
  )
  test('fewer entries than proxies, or an invalid address: undefined', () => {
    expect(callerAddress(request('10.0.0.1', '203.0.113.9'), 2)).toBeUndefined()
    expect(callerAddress(request('10.0.0.1'), 1)).toBeUndefined()
    expect(callerAddress(request('10.0.0.1', 'unknown'), 1)).toBeUndefined()
  })
})

describe('one canonical text for each address, undefined for anything else', () => {
  const same: [string, string][] = [
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:c000:201', '192.0.2.1'],
    ['2001:DB8:0:0::1', '2001:db8::1'],
  ]
  for (const [given, canonical] of same)
    test(`${given} is ${canonical}`, () => expect(canonicalAddress(given)).toBe(canonical))
  for (const odd of [
    '0300.0.2.1',
    '0xC0.0.2.1',
    '3221225985',
    '192.0.2',
    '192.0.2.1:80',
    'fe80::1%eth0',
    '',
    ' 192.0.2.1',
    '[::1]',
  ])
    test(`'${odd}' is not an address`, () => expect(canonicalAddress(odd)).toBeUndefined())
})

describe('limits per address count', () => {
  test.each([
    ['192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2::1', '2001:db8:1:2::'],
    ['2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::'],
    ['2001:db8:1:3::1', '2001:db8:1:3::'],
    [undefined, 'unknown'],
  ])('%s as %s', (address, source) => {
    expect(addressGroupOf(address)).toBe(source)
  })
})
