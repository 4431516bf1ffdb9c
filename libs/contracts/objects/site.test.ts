import { expect, test } from 'vitest'
import { AllowedAddress } from './site.ts'

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['192.0.2.0/24', '192.0.2.0/24'],
  ['2001:DB8:0:0::1', '2001:db8::1'],
  ['2001:0db8::/32', '2001:db8::/32'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['0.0.0.0/0', '0.0.0.0/0'],
])('the allowed address %s is stored as %s', (written, stored) => {
  expect(AllowedAddress.parse(written)).toBe(stored)
})

test.each([
  ['192.0.2.7/24', 'is no block, as it has bits beyond its prefix; the block is 192.0.2.0/24'],
  ['2001:db8::1/32', 'is no block, as it has bits beyond its prefix; the block is 2001:db8::/32'],
  ['', 'is neither an IP address nor a CIDR block'],
  ['shop.example.com', 'is neither an IP address nor a CIDR block'],
  ['192.0.2.300', 'is neither an IP address nor a CIDR block'],
  ['192.0.2.0/33', 'is neither an IP address nor a CIDR block'],
  ['010.0.0.1', 'is neither an IP address nor a CIDR block'],
  ['192.0.2', 'is neither an IP address nor a CIDR block'],
  ['192.0.2.7 ', 'is neither an IP address nor a CIDR block'],
  ['fe80::1%eth0', 'is neither an IP address nor a CIDR block'],
])('the allowed address %j is rejected, because it %s', (written, reason) => {
  expect(AllowedAddress.safeParse(written).error?.issues).toMatchObject([{ message: reason }])
})
