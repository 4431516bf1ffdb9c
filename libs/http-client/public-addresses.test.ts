import type { LookupAddress } from 'node:dns'
import { describe, expect, test } from 'vitest'
import { createCheckedLookup, isPublicAddress } from './public-addresses.ts'

const notPublic: [string, string][] = [
  ['loopback', '127.0.0.1'],
  ['loopback', '127.255.255.254'],
  ['loopback', '::1'],
  ['this host', '0.0.0.0'],
  ['this host', '::'],
  ['private', '10.0.0.1'],
  ['private', '172.16.0.1'],
  ['private', '192.168.1.1'],
  ['unique local', 'fd00:ec2::254'],
  ['a cloud\u2019s metadata', '169.254.169.254'],
  ['a cloud\u2019s metadata', '100.100.100.200'],
  ['link-local', 'fe80::1'],
  ['link-local with a zone', 'fe80::1%eth0'],
  ['shared by a carrier', '100.64.0.1'],
  ['multicast', '224.0.0.1'],
  ['multicast', 'ff02::1'],
  ['broadcast', '255.255.255.255'],
  ['reserved', '240.0.0.1'],
  ['for documentation', '192.0.2.1'],
  ['for documentation', '2001:db8::1'],
  ['for measurements', '198.18.0.1'],
  ['site-local', 'fec0::1'],
  ['IPv4 in IPv6', '::ffff:10.0.0.1'],
  ['IPv4 in IPv6 of old', '::127.0.0.1'],
  ['IPv4 by NAT64', '64:ff9b::a9fe:a9fe'],
  ['IPv4 by 6to4', '2002:7f00:1::'],
  ['IPv4 by Teredo', '2001:0:7f00:1::'],
  ['no address', 'localhost'],
]
const arePublic = ['8.8.8.8', '172.32.0.1', '2606:4700::6810:84e5', '::ffff:8.8.8.8']

describe('an address', () => {
  test.each(notPublic)('%s is not public: %s', (_, address) => {
    expect(isPublicAddress(address)).toBe(false)
  })

  test.each(arePublic)('is public: %s', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })
})

describe('a host name', () => {
  const resolveTo = (...addresses: string[]): LookupAddress[] =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  /** Looks up a host name that has these addresses, as a connection does. */
  const lookUp = (addresses: LookupAddress[], all: boolean) =>
    new Promise<unknown>((resolve, reject) => {
      const lookup = createCheckedLookup(isPublicAddress, (_name, _options, callback) => callback(null, addresses))
      lookup('provider.example', { all }, (error, found) => (error === null ? resolve(found) : reject(error)))
    })

  test.each([true, false])('is resolved to the checked addresses (all of them: %s)', async (all) => {
    const addresses = resolveTo('2606:4700::6810:84e5', '8.8.8.8')
    expect(await lookUp(addresses, all)).toEqual(all ? addresses : '2606:4700::6810:84e5')
  })

  test.each(notPublic.slice(0, -1))('with an address that is not public is rejected: %s %s', async (_, address) => {
    await expect(lookUp(resolveTo(address), true)).rejects.toThrow('not public')
    await expect(lookUp(resolveTo('8.8.8.8', address), true)).rejects.toThrow('not public')
    await expect(lookUp(resolveTo('8.8.8.8', address), false)).rejects.toThrow('not public')
  })

  test('without an address is rejected', async () => {
    await expect(lookUp([], true)).rejects.toThrow()
  })
})
