import { expect, test } from 'vitest'
import { parseClientAuthentication } from './client-authentication.ts'

const nothing = { client_id: undefined, client_secret: undefined }
const basic = (pair: string) => `Basic ${Buffer.from(pair).toString('base64')}`

test.each([
  ['plain', 'shop', 'secret'],
  ['with %, :, + and &', 'sh:op+1', 'a%b:c+d&e=f'],
  ['with a space', 'the shop', 'a b'],
])('Basic contains form-url-encoded id and secret, %s', (_, clientId, clientSecret) => {
  const encoded = new URLSearchParams([[clientId, clientSecret]]).toString().replace('=', ':')
  expect(parseClientAuthentication(basic(encoded), nothing)).toEqual({
    method: 'client_secret_basic',
    client_id: clientId,
    client_secret: clientSecret,
  })
})

test('the scheme is case-insensitive, and a colon in the secret is part of it', () => {
  const pair = Buffer.from('shop:a:b').toString('base64')
  expect(parseClientAuthentication(`bAsIc  ${pair}`, nothing)).toMatchObject({
    client_id: 'shop',
    client_secret: 'a:b',
  })
})

test('an empty secret counts as absent', () => {
  expect(parseClientAuthentication(basic('app:'), nothing)).toEqual({ method: 'none', client_id: 'app' })
})

test.each([
  ['another scheme', 'Bearer abc'],
  ['no credentials', 'Basic'],
  ['not base64', 'Basic !!!!'],
  ['no colon', basic('shop')],
  ['no id', basic(':secret')],
  ['broken escape', basic('shop:%zz')],
  ['NUL', basic('sh%00op:secret')],
  ['characters outside ASCII', basic('shop:%E6%97%A5')],
  ['two fields', `${basic('shop:secret')}, ${basic('shop:secret')}`],
])('%s in the Authorization field is rejected', (_, authorization) => {
  expect(parseClientAuthentication(authorization, nothing)).toEqual({ error: 'malformed' })
})

test('the form contains id and secret, or only the id', () => {
  expect(parseClientAuthentication(undefined, { client_id: 'shop', client_secret: 's' })).toEqual({
    method: 'client_secret_post',
    client_id: 'shop',
    client_secret: 's',
  })
  expect(parseClientAuthentication(undefined, { ...nothing, client_id: 'app' })).toEqual({
    method: 'none',
    client_id: 'app',
  })
  expect(parseClientAuthentication(undefined, nothing)).toEqual({ error: 'client_id_missing' })
})

test('two methods in one request are rejected; Basic with the same client_id in the form is accepted', () => {
  const both = { client_id: 'shop', client_secret: 'secret' }
  expect(parseClientAuthentication(basic('shop:secret'), both)).toEqual({ error: 'two_methods' })
  expect(parseClientAuthentication(basic('shop:secret'), { ...nothing, client_id: 'other' })).toEqual({
    error: 'two_methods',
  })
  expect(parseClientAuthentication(basic('shop:secret'), { ...nothing, client_id: 'shop' })).toMatchObject({
    method: 'client_secret_basic',
  })
})
