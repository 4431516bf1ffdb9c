import { describe, expect, test } from 'vitest'
import { bindBrowser, findBrowser, unbindBrowser } from './browser-binding.ts'

const token = '0123456789abcdef0123456789abcdef'
const tls = { auth_url: 'https://auth.example.com' }
const local = { auth_url: 'http://localhost:8081' }
const pairOf = (cookie = '') => cookie.split(';')[0] ?? ''

describe('the cookie that binds a link to its browser', () => {
  test('is __Host-, Secure, HttpOnly and Lax, and lasts half an hour', () => {
    const { cookies } = bindBrowser(token, undefined, tls)
    expect(cookies).toEqual([
      expect.stringMatching(
        /^__Host-linking-[0-9a-f]{12}=[\w-]{22}; Max-Age=1800; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      ),
    ])
  })

  test('has neither prefix nor Secure on a local address without TLS', () => {
    const { cookies } = bindBrowser(token, undefined, local)
    expect(cookies).toEqual([
      expect.stringMatching(/^linking-[0-9a-f]{12}=[\w-]{22}; Max-Age=1800; Path=\/; HttpOnly; SameSite=Lax$/),
    ])
  })

  test('does not reveal the token', () => {
    const [cookie] = bindBrowser(token, undefined, tls).cookies
    expect(cookie).not.toContain(token.slice(0, 8))
  })

  test('is deleted with the attributes with which it was set', () => {
    const [cookie] = bindBrowser(token, undefined, tls).cookies
    const [name] = pairOf(cookie).split('=')
    expect(unbindBrowser(token, tls)).toBe(`${name}=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax`)
  })
})

describe('a browser is recognized', () => {
  const { browser, cookies } = bindBrowser(token, undefined, tls)
  const pair = pairOf(cookies[0])
  test.each([
    ['with its cookie', pair, true],
    ['with its cookie among others', `a=b; ${pair}; session="x=y"`, true],
    ['but not without cookies', undefined, false],
    ['but not with an empty value', `${pair.split('=')[0]}=`, false],
    ['but not with a changed value', `${pair}A`, false],
    ["but not with another link's cookie", pairOf(bindBrowser('f'.repeat(32), undefined, tls).cookies[0]), false],
    ['but not with a cookie that could be set without TLS', pair.replace('__Host-', ''), false],
  ])('%s', (_, sent, known) => {
    expect(findBrowser(token, sent, tls) === browser).toBe(known)
  })

  test('and keeps its cookie', () => {
    expect(bindBrowser(token, pair, tls)).toEqual({ browser, cookies: [] })
  })
})

test('a sixth link in a browser ends the oldest', () => {
  const opened = Array.from({ length: 5 }, (_, index) => bindBrowser(`token-${index}`, undefined, tls))
  const pairs = opened.map(({ cookies }) => pairOf(cookies[0]))
  const sent = ['theme=dark', ...pairs].join('; ')
  const [set, ...ended] = bindBrowser(token, sent, tls).cookies
  expect(set).toMatch(/Max-Age=1800/)
  expect(ended).toEqual([unbindBrowser('token-0', tls)])
  expect(bindBrowser(token, pairs.slice(1).join('; '), tls).cookies).toHaveLength(1)
})
