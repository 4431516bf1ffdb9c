import { describe, expect, test } from 'vitest'
import { clearLoginCookies, readLoginCookies, setLoginCookies } from './login-cookies.ts'

const tls = { auth_url: 'https://auth.example.com' }
const state = '0123456789abcdef0123456789abcdef'
const pairOf = (field: string) => field.split(';')[0] ?? ''
const sentAfter = (fields: readonly string[]) => fields.map(pairOf).join('; ')

describe('the cookies of a started login', () => {
  test('are __Host-, Secure, HttpOnly and Lax, and last longer than the login', () => {
    expect(setLoginCookies(state, 'encrypted', undefined, tls)).toEqual([
      expect.stringMatching(
        /^__Host-login-[0-9a-f]{12}=encrypted; Max-Age=1200; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      ),
    ])
    expect(setLoginCookies(state, 'encrypted', undefined, tls).join()).not.toContain(state.slice(0, 8))
  })

  test.each([1, 3_900, 3_901, 9_000])('split %i bytes into parts below 4,096 bytes, and are read back', (bytes) => {
    const value = 'v'.repeat(bytes)
    const fields = setLoginCookies(state, value, undefined, tls)
    expect(fields).toHaveLength(Math.ceil(bytes / 3_900))
    for (const field of fields) expect(pairOf(field).length).toBeLessThanOrEqual(4_096)
    expect(readLoginCookies(state, sentAfter(fields), tls)).toBe(value)
    const dropped = clearLoginCookies(state, sentAfter(fields), tls)
    expect(dropped).toHaveLength(fields.length)
    for (const field of dropped) expect(field).toMatch(/=; Max-Age=0; /)
  })

  test('are not read for another login, nor without __Host- if the service uses TLS', () => {
    const sent = sentAfter(setLoginCookies(state, 'encrypted', undefined, tls))
    expect(readLoginCookies('f'.repeat(32), sent, tls)).toBeUndefined()
    expect(readLoginCookies(state, sent.replace('__Host-', ''), tls)).toBeUndefined()
    expect(readLoginCookies(state, undefined, tls)).toBeUndefined()
  })
})

describe('above 4,400 bytes of started logins, a further one deletes the oldest', () => {
  const login = (name: string, bytes: number, sent = '') => setLoginCookies(name, 'v'.repeat(bytes), sent, tls)

  test('with all its parts', () => {
    const long = login('long', 4_000)
    const short = login('short', 1_000, sentAfter(long))
    expect(long).toHaveLength(2)
    expect(short.filter((field) => field.includes('Max-Age=0')).map(pairOf)).toEqual(
      long.map((field) => `${field.split('=')[0]}=`),
    )
  })

  test('and no other cookie', () => {
    const sent = `theme=dark; __Host-session-abc=x; ${sentAfter(login('one', 4_000))}`
    const fields = login('two', 1_000, sent)
    expect(fields.filter((field) => field.includes('Max-Age=0'))).toHaveLength(2)
    expect(fields.join()).not.toMatch(/theme|session/)
  })

  test('also above twenty logins', () => {
    const started = Array.from({ length: 20 }, (_, index) => login(`state-${index}`, 10)[0] ?? '')
    const [, ...ended] = login(state, 10, sentAfter(started))
    expect(ended.map(pairOf)).toEqual([`${started[0]?.split('=')[0]}=`])
  })
})
