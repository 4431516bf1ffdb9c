import { describe, expect, test } from 'vitest'
import { oauth1Signature, percentEncode, signatureBaseString } from './oauth1-signature.ts'

const client = { oauth_consumer_key: 'dpf43f3p2l4k3l03', oauth_signature_method: 'HMAC-SHA1' }
const clientSecret = 'kd94hf93k423kf44'

describe('RFC 5849 1.2', () => {
  test.each([
    [
      'temporary credentials',
      { method: 'POST', url: 'https://photos.example.net/initiate' },
      { oauth_timestamp: '137131200', oauth_nonce: 'wIjqoS', oauth_callback: 'http://printer.example.com/ready' },
      '',
      '74KNZJeDHnMBp0EMJ9ZHt/XKycU=',
    ],
    [
      'token credentials',
      { method: 'POST', url: 'https://photos.example.net/token' },
      {
        oauth_token: 'hh5s93j4hdidpola',
        oauth_verifier: 'hfdp7dh39dks9884',
        oauth_timestamp: '137131201',
        oauth_nonce: 'walatlh',
      },
      'hdhd0244k9j7ao03',
      'gKgrFCywp7rO0OXSjdot/IHF7IU=',
    ],
    [
      'a photo',
      { method: 'GET', url: 'http://photos.example.net/photos?file=vacation.jpg&size=original' },
      {
        file: 'vacation.jpg',
        size: 'original',
        oauth_token: 'nnch734d00sl2jdk',
        oauth_timestamp: '137131202',
        oauth_nonce: 'chapoH',
      },
      'pfkkdhi9sl3r4s00',
      'MdpQcU8iPSUjWoN/UDMsK2sui9I=',
    ],
  ])('the signature of the request for %s', (_, request, own, tokenSecret, signature) => {
    const parameters = Object.entries({ ...client, ...own })
    expect(oauth1Signature({ ...request, parameters }, { client_secret: clientSecret, tokenSecret })).toBe(signature)
  })
})

test('RFC 5849 3.4.1.1: pairs of query, header and form are sorted, also those of one name', () => {
  const url = 'http://example.com/request?b5=%3D%253D&a3=a&c%40=&a2=r%20b'
  const parameters: [string, string][] = [
    ...new URL(url).searchParams,
    ...new URLSearchParams('c2&a3=2+q'),
    ['oauth_consumer_key', '9djdj82h48djs9d2'],
    ['oauth_token', 'kkk9d7dh3k39sjv7'],
    ['oauth_signature_method', 'HMAC-SHA1'],
    ['oauth_timestamp', '137131201'],
    ['oauth_nonce', '7d8f3e4a'],
  ]
  expect(signatureBaseString({ method: 'post', url, parameters })).toBe(
    'POST&http%3A%2F%2Fexample.com%2Frequest&a2%3Dr%2520b%26a3%3D2%2520q%26a3%3Da%26b5%3D%253D%25253D%26c%2540%3D%26c2%3D%26' +
      'oauth_consumer_key%3D9djdj82h48djs9d2%26oauth_nonce%3D7d8f3e4a%26oauth_signature_method%3DHMAC-SHA1%26' +
      'oauth_timestamp%3D137131201%26oauth_token%3Dkkk9d7dh3k39sjv7',
  )
})

test.each([
  ['http://EXAMPLE.COM:80/r%20v/X?id=123', 'http://example.com/r%20v/X'],
  ['https://www.example.net:8080/?q=1#top', 'https://www.example.net:8080/'],
])('RFC 5849 3.4.1.2: %s counts as %s', (url, counted) => {
  const baseString = signatureBaseString({ method: 'GET', url, parameters: [] })
  expect(baseString).toBe(`GET&${percentEncode(counted)}&`)
})

test("the microblog provider's own example", () => {
  const parameters = Object.entries({
    include_entities: 'true',
    oauth_consumer_key: 'xvz1evFS4wEEPTGEFPHBog',
    oauth_nonce: 'kYjzVBB8Y0ZFabxSWbWovY3uYSQ2pTgmZeNu2VS4cg',
    oauth_signature_method: 'HMAC-SHA1',
    oauth_timestamp: '1318622958',
    oauth_token: '370773112-GmHxMAgYyLbNEtIKZeRNFsMKPR9EyMZeS9weJAEb',
    oauth_version: '1.0',
    status: 'Hello Ladies + Gentlemen, a signed OAuth request!',
  })
  const request = { method: 'POST', url: 'https://api.x.com/1.1/statuses/update.json', parameters }
  const secrets = {
    client_secret: 'kAcSOqF21Fu85e7zjz7ZN2U4ZRhfV3WpwPAoE3Z7kBw',
    tokenSecret: 'LswwdoUaIvS8ltyTt5jkRh4J50vUPVVHtR2YPi5kE',
  }
  expect(oauth1Signature(request, secrets)).toBe('Ls93hJiZbQ3akF3HF3x1Bz8/zU4=')
})

test.each([
  ["!'()*", '%21%27%28%29%2A'],
  ['-._~', '-._~'],
  [' +&=/', '%20%2B%26%3D%2F'],
  ['☃', '%E2%98%83'],
])('percent-encodes %s as %s', (text, encoded) => {
  expect(percentEncode(text)).toBe(encoded)
})
