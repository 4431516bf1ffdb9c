import { describe, expect, test } from 'vitest'
import { bindBrowser, isBound, unbindBrowser } from './browser.ts'

const state = '0123456789abcdef0123456789abcdef'
const tls = { auth_url: 'https://auth.example.com' }
const local = { auth_url: 'http://localhost:8081' }
const pairOf = (cookie = '') => cookie.split(';')[0] ?? ''

describe('SS-1 the cookie that binds a login to its browser', () => {
  test('is __Host-, Secure, HttpOnly, Lax and of ten minutes', () => {
    const { cookies } = bindBrowser(state, undefined, tls)
    expect(cookies).toEqual([
      expect.stringMatching(
        /^__Host-login-[0-9a-f]{12}=[\w-]{22}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
      ),
    ])
  })

  test('has neither prefix nor Secure on a local address without TLS', () => {
    const { cookies } = bindBrowser(state, undefined, local)
    expect(cookies).toEqual([
      expect.stringMatching(/^login-[0-9a-f]{12}=[\w-]{22}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/),
    ])
  })

  test('tells nothing of the state', () => {
    const [cookie] = bindBrowser(state, undefined, tls).cookies
    expect(cookie).not.toContain(state.slice(0, 8))
  })

  test('is ended with the attributes it was set with', () => {
    const [cookie] = bindBrowser(state, undefined, tls).cookies
    const [name] = pairOf(cookie).split('=')
    expect(unbindBrowser(state, tls)).toBe(`${name}=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax; Secure`)
  })
})

describe('BR-3 a login goes on', () => {
  const { browser, cookies } = bindBrowser(state, undefined, tls)
  const pair = pairOf(cookies[0])
  test.each([
    ['with its cookie', pair, true],
    ['with its cookie among others', `a=b; ${pair}; session="x=y"`, true],
    ['not without cookies', undefined, false],
    ['not with an empty value', `${pair.split('=')[0]}=`, false],
    ['not with a changed value', `${pair}A`, false],
    ["not with another login's cookie", pairOf(bindBrowser('f'.repeat(32), undefined, tls).cookies[0]), false],
    ['not with a cookie that could be set without TLS', pair.replace('__Host-', ''), false],
  ])('%s', (_, sent, bound) => {
    expect(isBound(state, browser, sent, tls)).toBe(bound)
  })
})

test('SS-2 a browser keeps twenty logins: one more ends the one begun first', () => {
  const begun = Array.from({ length: 20 }, (_, index) => bindBrowser(`state-${index}`, undefined, tls))
  const pairs = begun.map(({ cookies }) => pairOf(cookies[0]))
  const sent = ['theme=dark', ...pairs].join('; ')
  const [set, ...ended] = bindBrowser(state, sent, tls).cookies
  expect(set).toMatch(/Max-Age=600/)
  expect(ended).toEqual([unbindBrowser('state-0', tls)])
  expect(bindBrowser(state, pairs.slice(1).join('; '), tls).cookies).toHaveLength(1)
})
