import { expect, test } from 'vitest'
import { findRedirectUriError } from './redirect-uri.ts'

const mayBeRegistered = (redirectUri: string, kind: 'confidential' | 'public') =>
  findRedirectUriError(redirectUri, kind) === undefined

test.each([
  'https://shop.example.com/callback',
  'https://shop.example.com',
  'https://shop.example.com/',
  'https://shop.example.com:8443/a/b.c?keep=1&lang=ja',
  'https://xn--wgv71a.example/callback',
  'http://localhost:8088/callback',
  'http://localhost:9/other?keep=1',
  'http://127.0.0.1/callback',
  'http://[::1]:8088/callback',
])('%s can be registered', (redirectUri) => {
  expect(mayBeRegistered(redirectUri, 'confidential')).toBe(true)
  expect(mayBeRegistered(redirectUri, 'public')).toBe(true)
})

test.each([
  ['fragment', 'https://shop.example.com/callback#a'],
  ['empty fragment', 'https://shop.example.com/callback#'],
  ['user name', 'https://user@shop.example.com/callback'],
  ['password', 'https://user:secret@shop.example.com/callback'],
  ['empty user name', 'https://@shop.example.com/callback'],
  ['wildcard host', 'https://*.example.com/callback'],
  ['wildcard path', 'https://shop.example.com/*'],
  ['http of a host', 'http://shop.example.com/callback'],
  ['http of a look-alike of localhost', 'http://localhost.evil.example/callback'],
  ['http of a name that ends in localhost', 'http://evil-localhost/callback'],
  ['http of a private address', 'http://10.0.0.1/callback'],
  ['loopback in another spelling', 'http://127.1/callback'],
  ['loopback as a number', 'http://2130706433/callback'],
  ['javascript:', 'javascript:alert(1)'],
  ['data:', 'data:text/html,hello'],
  ['vbscript:', 'vbscript:msgbox'],
  ['file:', 'file:///etc/passwd'],
  ['blob:', 'blob:https://shop.example.com/1'],
  ['ftp:', 'ftp://shop.example.com/callback'],
  ['ws:', 'ws://shop.example.com/callback'],
  ['control character', 'https://shop.example.com/call\nback'],
  ['tab', 'https://shop.example.com/call\tback'],
  ['NUL', 'https://shop.example.com/callback\0'],
  ['space', 'https://shop.example.com/call back'],
  ['leading space', ' https://shop.example.com/callback'],
  ['characters outside ASCII', 'https://shop.example.com/戻る'],
  ['international host', 'https://日本.example/callback'],
  ['backslash', 'https://shop.example.com\\callback'],
  ['backslash before the host', 'https:\\\\shop.example.com/callback'],
  ['dot segment', 'https://shop.example.com/a/../callback'],
  ['escaped dot segment', 'https://shop.example.com/a/%2e%2e/callback'],
  ['single dot segment', 'https://shop.example.com/./callback'],
  ['double slash path', 'https://shop.example.com//evil.example/callback'],
  ['three slashes', 'https:///shop.example.com/callback'],
  ['one slash', 'https:/shop.example.com/callback'],
  ['no slash', 'https:shop.example.com/callback'],
  ['upper-case host', 'https://Shop.example.com/callback'],
  ['upper-case scheme', 'HTTPS://shop.example.com/callback'],
  ['default port', 'https://shop.example.com:443/callback'],
  ['empty port', 'https://shop.example.com:/callback'],
  ['port out of range', 'https://shop.example.com:65536/callback'],
  ['no host', 'https://'],
  ['relative', '/callback'],
  ['protocol-relative', '//shop.example.com/callback'],
  ['quote', 'https://shop.example.com/"onload'],
  ['angle bracket', 'https://shop.example.com/<script>'],
  ['scheme without a dot', 'myapp://callback'],
])('%s is rejected', (_, redirectUri) => {
  expect(mayBeRegistered(redirectUri, 'confidential')).toBe(false)
  expect(mayBeRegistered(redirectUri, 'public')).toBe(false)
})

test('a custom scheme is allowed only for public clients', () => {
  for (const redirectUri of ['com.example.app:/callback', 'com.example.app://callback']) {
    expect(mayBeRegistered(redirectUri, 'public')).toBe(true)
    expect(mayBeRegistered(redirectUri, 'confidential')).toBe(false)
  }
})

test.each(['code', 'state', 'error', 'error_description', 'id_token', 'iss', 'response', 'token', 'status', 'c%6fde'])(
  'a query with our own parameter %s is rejected',
  (name) => {
    expect(mayBeRegistered(`https://shop.example.com/callback?${name}=1`, 'confidential')).toBe(false)
    expect(mayBeRegistered(`https://shop.example.com/callback?keep=1&${name}`, 'confidential')).toBe(false)
    expect(mayBeRegistered(`https://shop.example.com/callback?x${name}=1`, 'confidential')).toBe(true)
  },
)

test.each([
  ['https://shop.example.com/callback#a', 'must not contain a fragment'],
  ['https://*.example.com/callback', 'must not contain a wildcard'],
  ['https://shop.example.com\\callback', 'must not contain a backslash'],
  ['https://user:secret@shop.example.com/callback', 'must not contain a user name or password'],
  ['https://Shop.example.com/callback', 'must be written as browsers send it: https://shop.example.com/callback'],
  ['https://shop.example.com/a/../callback', 'must be written as browsers send it: https://shop.example.com/callback'],
  ['https://shop.example.com//evil.example', 'must not have a path that begins with two slashes'],
  ['https://shop.example.com/callback?state=1', 'must not have the parameter state, which our responses add'],
  ['http://shop.example.com/callback', 'must use https: http is allowed for localhost only'],
  ['javascript:alert(1)', 'must use https'],
  ['com.example.app:/callback', 'must use https: custom schemes are allowed for public clients only'],
  ['/callback', 'must be an absolute URI'],
  ['https://shop.example.com/戻る', 'must contain only printable ASCII characters without spaces'],
])('the reason for %s is that it %s', (redirectUri, reason) => {
  expect(findRedirectUriError(redirectUri, 'confidential')).toBe(reason)
})
