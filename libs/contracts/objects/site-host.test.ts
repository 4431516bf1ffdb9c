import { expect, test } from 'vitest'
import { HostName } from './site-host.ts'

test.each([
  ['login.example.com', 'login.example.com'],
  [' Login.Example.COM. ', 'login.example.com'],
  ['login.bücher.example', 'login.xn--bcher-kva.example'],
  ['ログイン.example', 'xn--eckxa6p0a.example'],
  ['login.xn--bcher-kva.example', 'login.xn--bcher-kva.example'],
])('the host name %s is stored as %s', (written, stored) => {
  expect(HostName.parse(written)).toBe(stored)
})

test.each([
  '',
  'localhost',
  '127.0.0.1',
  '[::1]',
  '::1',
  '0x7f.1',
  '1.2',
  'example.0x1f',
  'login.example.com:443',
  'login.example.com/path',
  'https://login.example.com',
  'user@login.example.com',
  '-a.example',
  'a-.example',
  'a_b.example',
  '*.example.com',
  'login..example',
  'login.example.com..',
  'a b.example',
  'login.example.com%2e',
  `${'a'.repeat(64)}.example`,
  `${'a.'.repeat(124)}example`,
  'login.\u0000.example',
])('%j is no host name', (written) => {
  expect(() => HostName.parse(written)).toThrow('must be a host name such as login.example.com')
})
