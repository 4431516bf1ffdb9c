import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { exportSPKI } from 'jose'
import type { Forgery } from './malicious-provider.ts'

const unsigned = (idToken: string) => {
  const header = Buffer.from('{"alg":"none"}').toString('base64url')
  return `${header}.${idToken.split('.')[1]}.`
}
const withOtherClaims = (idToken: string) => {
  const [header, payload = '', signature] = idToken.split('.')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
  return `${header}.${Buffer.from(JSON.stringify({ ...claims, name: 'Another User' })).toString('base64url')}.${signature}`
}
export const now = () => Math.floor(Date.now() / 1_000)
export const long = (length: number) => 'x'.repeat(length)
const bomb = gzipSync(Buffer.alloc(100_000_000))

/** Forged ID Tokens of an OpenID Connect provider. */
export const openidForgeries: [string, Forgery][] = [
  ['iss of another provider', { claims: (claims) => ({ ...claims, iss: 'https://evil.example' }) }],
  ['iss with an additional slash', { claims: (claims) => ({ ...claims, iss: `${claims.iss}/` }) }],
  ['no iss', { claims: (claims) => ({ ...claims, iss: undefined }) }],
  ['aud of another application', { claims: (claims) => ({ ...claims, aud: 'another' }) }],
  ['no aud', { claims: (claims) => ({ ...claims, aud: undefined }) }],
  [
    'several aud, azp of another application',
    { claims: (claims) => ({ ...claims, aud: [claims.aud, 'b'], azp: 'b' }) },
  ],
  ['azp of another application', { claims: (claims) => ({ ...claims, azp: 'another' }) }],
  ['an iat in two minutes', { claims: (claims) => ({ ...claims, iat: now() + 120, exp: now() + 600 }) }],
  ...[' ', 'null', 'undefined', '0', ' person-1', 'person 1', 'pérson'].map((sub): [string, Forgery] => [
    `${JSON.stringify(sub)} as sub`,
    { claims: (claims) => ({ ...claims, sub }), userinfo: (received) => ({ ...received, sub }) },
  ]),
  ['no sub', { claims: (claims) => ({ ...claims, sub: undefined }) }],
  [
    'an empty sub',
    { claims: (claims) => ({ ...claims, sub: '' }), userinfo: (received) => ({ ...received, sub: '' }) },
  ],
  ['a sub that is a number', { claims: (claims) => ({ ...claims, sub: 1 }), userinfo: () => ({ sub: 1 }) }],
  [
    'a sub of 256 characters',
    { claims: (claims) => ({ ...claims, sub: long(256) }), userinfo: () => ({ sub: long(256) }) },
  ],
  ['no iat', { claims: (claims) => ({ ...claims, iat: undefined }) }],
  ['no exp', { claims: (claims) => ({ ...claims, exp: undefined }) }],
  ['an exp two minutes ago', { claims: (claims) => ({ ...claims, exp: now() - 120 }) }],
  ['an nbf in two minutes', { claims: (claims) => ({ ...claims, nbf: now() + 120 }) }],
  ['another nonce', { claims: (claims) => ({ ...claims, nonce: 'replayed' }) }],
  ['no nonce', { claims: (claims) => ({ ...claims, nonce: undefined }) }],
  ['alg none', { id_token: unsigned }],
  ['claims changed after signing', { id_token: withOtherClaims }],
  ['a truncated signature', { id_token: (idToken) => idToken.slice(0, -20) }],
  ['no ID Token', { id_token: () => undefined }],
  ['ES256 with a key of its own', { key: ({ foreign }) => ({ alg: 'ES256', key: foreign.ec }) }],
  [
    'HS256 with the public key as its secret',
    { key: async ({ rsa }) => ({ alg: 'HS256', key: Buffer.from(await exportSPKI(rsa.public)) }) },
  ],
]

/** Invalid responses of a provider with any protocol. */
export const commonForgeries: [string, Forgery][] = [
  ['no access token', { token: (response) => ({ ...response, access_token: undefined }) }],
  ['no token_type', { token: (response) => ({ ...response, token_type: undefined }) }],
  ['an access token of 70 kB', { token: (response) => ({ ...response, access_token: long(70_000) }) }],
  ['a negative expires_in', { token: (response) => ({ ...response, expires_in: -1 }) }],
  ['a response of 5 MB', { token: (response) => ({ ...response, more: long(5_000_000) }) }],
  ['a page as response', { instead: { token: (response) => response.end('<h1>Hello</h1>') } }],
  ['half a response', { instead: { token: (response) => response.end('{"access_token":"x') } }],
  ['a list as response', { instead: { token: (response) => response.end('[]') } }],
  [
    'a few bytes that unpack to 100 MB',
    {
      instead: {
        token: (response) =>
          response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(bomb),
      },
    },
  ],
  ['an OAuth error of the token endpoint', { instead: { token: respondWith(400, { error: 'invalid_client' }) } }],
  ['a 500 of the token endpoint', { instead: { token: respondWith(500, {}) } }],
  ['a 429 of the token endpoint', { instead: { token: respondWith(429, {}) } }],
  ['a hang-up at the token endpoint', { instead: { token: (response) => response.destroy() } }],
  ['code twice', { returns: (parameters) => parameters.append('code', 'another') }],
  ['a token in the callback', { returns: (parameters) => parameters.set('id_token', 'x') }],
]

export const hangUpAtUserinfo: [string, Forgery] = [
  'a hang-up at userinfo',
  { instead: { userinfo: (response) => response.destroy() } },
]

export const userinfoForgeries: [string, Forgery][] = [
  ['another sub in userinfo', { userinfo: (received) => ({ ...received, sub: 'victim' }) }],
]

export const rejectedUserinfo: [string, Forgery] = [
  'a 401 of userinfo',
  { instead: { userinfo: respondWith(401, { error: 'invalid_token' }) } },
]

export const rs256Forgeries: [string, Forgery][] = [
  ['RS256 with a foreign key', { key: ({ foreign, rsa }) => ({ alg: 'RS256', key: foreign.rsa, kid: rsa.kid }) }],
  ['RS384 with the right key', { key: ({ rs384, rsa }) => ({ alg: 'RS384', key: rs384, kid: rsa.kid }) }],
  ['HS256 with the client secret', { key: ({ secret }) => ({ alg: 'HS256', key: Buffer.from(secret) }) }],
  ['an unknown kid', { key: ({ rsa }) => ({ alg: 'RS256', key: rsa.private, kid: 'unknown' }) }],
]

/** Wrong issuers in the callback of a provider that documents its issuer (RFC 9207 2.4). */
export const issuerForgeries: [string, Forgery][] = [
  [
    'iss of another provider in the callback',
    { returns: (parameters) => parameters.set('iss', 'https://evil.example') },
  ],
  ['two iss in the callback', { returns: (parameters) => parameters.append('iss', 'https://evil.example') }],
]

export const brokenUserinfo: [string, Forgery][] = [
  ['a 500 of userinfo', { instead: { userinfo: respondWith(500, {}) } }],
  ['a 429 of userinfo', { instead: { userinfo: respondWith(429, {}) } }],
  ['userinfo that is not JSON', { instead: { userinfo: (response) => response.end('<h1>Hello</h1>') } }],
]

/** Failures of userinfo after the ID Token has proved the login. */
export const userinfoFailures: [string, Forgery][] = [
  hangUpAtUserinfo,
  rejectedUserinfo,
  ...brokenUserinfo,
  ['a 503 of userinfo', { instead: { userinfo: respondWith(503, {}) } }],
  ['no sub in userinfo', { userinfo: () => ({ name: 'Person One' }) }],
]

export const graphError = { error: { message: 'Error', type: 'OAuthException', code: 190, fbtrace_id: 'A' } }

/** Invalid responses of OAuth 2.0 without OpenID Connect, in which a resource identifies the end user. */
export const socialForgeries: [string, Forgery][] = [
  ['no id', { userinfo: () => ({ name: 'Person One' }) }],
  ['a sub instead of an id', { userinfo: () => ({ sub: 'person-1', name: 'Person One' }) }],
  ['an empty id', { userinfo: () => ({ id: '' }) }],
  ['an id that is a number', { userinfo: () => ({ id: 1 }) }],
  ['an id of 256 characters', { userinfo: () => ({ id: long(256) }) }],
  ['an id with a NUL', { userinfo: () => ({ id: 'person\0' }) }],
  ['an error object of the token endpoint', { instead: { token: respondWith(400, graphError) } }],
  ['an error object with the status 200', { instead: { token: respondWith(200, graphError) } }],
  ['an error object of the profile', { instead: { userinfo: respondWith(400, graphError) } }],
  ['an error object of the profile with the status 200', { instead: { userinfo: respondWith(200, graphError) } }],
  ['a profile of 5 MB', { userinfo: (received) => ({ ...received, more: long(5_000_000) }) }],
  ['half a profile', { instead: { userinfo: (response) => response.end('{"id":"person-1"') } }],
  [
    'a redirect of the profile',
    { instead: { userinfo: (response) => response.writeHead(302, { location: '/' }).end() } },
  ],
  ['neither code nor error in the callback', { returns: (parameters) => parameters.delete('code') }],
]

export const messagingForgeries: [string, Forgery][] = [
  [
    'HS256 with another secret',
    { key: () => ({ alg: 'HS256', key: Buffer.from('another secret of 32 characters!') }) },
  ],
  ['HS256 with an empty secret', { key: () => ({ alg: 'HS256', key: new Uint8Array(32) }) }],
  ['HS512 with the right secret', { key: ({ secret }) => ({ alg: 'HS512', key: Buffer.from(secret) }) }],
  ['RS256 with a key of the JWKS', { key: ({ rsa }) => ({ alg: 'RS256', key: rsa.private, kid: rsa.kid }) }],
]

export function respondWith(status: number, body: object): (response: ServerResponse) => void {
  return (response) => response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
