import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CallbackRules } from '#contracts'
import { removeResponseParameters, toDomainCallback } from './callback-url.ts'

const rules: CallbackRules = { kind: 'production', domains: ['shop.example.com', 'shop.example'] }

describe('a callback by domain', () => {
  test.each([
    ['https://shop.example.com', 'https://shop.example.com/'],
    ['https://shop.example.com/any/path?any=query&b=%e3%81%82', undefined],
    ['https://www.shop.example.com/', undefined],
    ['https://a.b.shop.example:8443/x?y', undefined],
    ['https://SHOP.example.com:443/../x', 'https://shop.example.com/x'],
    ['https:\\\\shop.example.com\\x', 'https://shop.example.com/x'],
    ['https://shop.example.com/?q=検索', 'https://shop.example.com/?q=%E6%A4%9C%E7%B4%A2'],
    ['https://shop.exam\nple.com/', 'https://shop.example.com/'],
  ])('%s is allowed', (callback, serialized = callback) => {
    expect(toDomainCallback(callback, rules)).toBe(serialized)
  })

  test.each([
    'http://shop.example.com/',
    'ftp://shop.example.com/',
    'javascript:alert(1)//shop.example.com',
    'com.example.shop:/callback',
    '//shop.example.com/',
    '/callback',
    '',
    'https://',
    'https://evil.example/',
    'https://evilshop.example.com/',
    'https://shop.example.com.evil.example/',
    'https://shop.example.com./',
    'https://.shop.example.com/',
    'https://%2eshop.example.com/',
    'https://a..shop.example.com/',
    'https://example.com/',
    'https://evil.example/https://shop.example.com/',
    'https://evil.example\\.shop.example.com/',
    'https://evil.example?.shop.example.com/',
    'https://evil.example#.shop.example.com/',
    'https://shop.example.com@evil.example/',
    'https://user@shop.example.com/',
    'https://:password@shop.example.com/',
    'https://shop.example.com/#fragment',
    'https://shop.example.com/#',
    'https://127.0.0.1/',
    'https://localhost/',
  ])('%s is not allowed', (callback) => {
    expect(toDomainCallback(callback, rules)).toBeUndefined()
  })

  test('a site without domains allows none', () => {
    expect(toDomainCallback('https://shop.example.com/', { kind: 'production', domains: [] })).toBeUndefined()
    expect(toDomainCallback('https://shop.example.com/', { kind: 'development', domains: [] })).toBeUndefined()
  })

  test.each(['https://localhost/x', 'https://127.0.0.1:3000/x?y=1'])(
    '%s is allowed at a development site only, and only with https',
    (callback) => {
      expect(toDomainCallback(callback, { ...rules, kind: 'development' })).toBe(callback)
      expect(toDomainCallback(callback.replace('https', 'http'), { ...rules, kind: 'development' })).toBeUndefined()
      expect(toDomainCallback(callback, rules)).toBeUndefined()
    },
  )

  test.each(['https://localhost.evil.example/', 'https://127.0.0.2/', 'https://[::1]/', 'https://a.localhost/'])(
    '%s is not allowed at a development site',
    (callback) => {
      expect(toDomainCallback(callback, { ...rules, kind: 'development' })).toBeUndefined()
    },
  )

  test('any text: what is allowed is in the domains for a browser, and is allowed again unchanged', () => {
    const part = fc.oneof(
      fc.constantFrom('shop.example.com', 'evil.example', '@', ':', '/', '\\', '?', '#', '.', '%2e', '\t', '。'),
      fc.string({ unit: 'binary', maxLength: 8 }),
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const allowed = toDomainCallback(`https://${parts.join('')}`, rules)
        if (allowed === undefined) return
        const { protocol, hostname, username, hash } = new URL(allowed)
        expect([protocol, username, hash]).toEqual(['https:', '', ''])
        expect(hostname).toMatch(/^(.+\.)?shop\.example(\.com)?$/)
        expect(allowed).toMatch(/^[\x21-\x7e]+$/)
        expect(toDomainCallback(allowed, rules)).toBe(allowed)
      }),
    )
  })
})

describe('the parameters of a response occur once', () => {
  const added = ['status', 'token']
  test.each([
    ['https://a.example/', 'https://a.example/'],
    ['https://a.example/?', 'https://a.example/?'],
    ['https://a.example/?a=1&b=%7e&&c', 'https://a.example/?a=1&b=%7e&&c'],
    ['https://a.example/?token=x', 'https://a.example/'],
    ['https://a.example/?a=%20&token=x&b', 'https://a.example/?a=%20&b'],
    ['https://a.example/?token=x&token=y&a', 'https://a.example/?a'],
    ['https://a.example/?to%6ben=x&a', 'https://a.example/?a'],
    ['https://a.example/?token&a', 'https://a.example/?a'],
    ['https://a.example/?reason=old&a', 'https://a.example/?a'],
    ['https://a.example/?state=own&Token=x', 'https://a.example/?state=own&Token=x'],
    ['https://a.example/?a=?token=1&b', 'https://a.example/?a=?token=1&b'],
  ])('%s becomes %s', (callback, expected) => {
    expect(removeResponseParameters(callback, added)).toBe(expected)
  })

  test('an own state is replaced if the request has one', () => {
    expect(removeResponseParameters('https://a.example/?state=own&a', ['status', 'state'])).toBe('https://a.example/?a')
  })
})
