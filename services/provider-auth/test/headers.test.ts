import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pageHeaders } from '#http'
import type { RunningService } from '#runtime'
import { createLoginsFixture } from './logins.ts'

const logins = createLoginsFixture()
let behindTls: RunningService<{ port: number }>
beforeAll(async () => {
  behindTls = await logins.startReplica({ AUTH_URL: 'https://login.example.com' })
})
afterAll(async () => {
  await behindTls.stop()
})

/** Sends raw bytes and returns the header fields of the response, in lower case. */
async function send(text: string): Promise<{ status: number; headers: Headers }> {
  const socket = connect(behindTls.exposed.port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(text)
  const response = (await socket.toArray()).join('')
  const [line = '', ...fields] = response.split('\r\n\r\n')[0]?.split('\r\n') ?? []
  const pairs = fields.map((field): [string, string] => {
    const colon = field.indexOf(':')
    return [field.slice(0, colon), field.slice(colon + 1).trim()]
  })
  return { status: Number(line.split(' ')[1]), headers: new Headers(pairs) }
}
const request = (path: string, method = 'GET', field = '') =>
  send(`${method} ${path} HTTP/1.1\r\nHost: login.example.com\r\nConnection: close\r\n${field}\r\n`)

describe('every response has the security headers', () => {
  test.each<[string, number, () => ReturnType<typeof send>]>([
    ['a page', 400, () => request('/oauth2/authorize/search/x')],
    ['the choice of a provider', 400, () => request('/oauth2/authorize')],
    ['an unknown address', 404, () => request('/nowhere')],
    ['a wrong method', 405, () => request('/oauth2/authorize', 'PUT')],
    ['a wrong method at an endpoint for programs', 405, () => request('/oauth2/token')],
    ['TRACE', 405, () => request('/oauth2/authorize', 'TRACE')],
    ['headers that are too long', 431, () => request('/', 'GET', `X-Long: ${'x'.repeat(40_000)}\r\n`)],
    ['a request that is not HTTP', 400, () => send('hello\r\n\r\n')],
    ['keys for programs', 200, () => request('/oauth2/jwks')],
  ])('%s: %i', async (_, status, get) => {
    const response = await get()
    expect(response.status).toBe(status)
    const same: (keyof typeof pageHeaders)[] = ['X-Frame-Options', 'X-Content-Type-Options', 'Referrer-Policy']
    for (const name of [...same, 'Content-Security-Policy'] as const)
      expect(response.headers.get(name), name).toBe(pageHeaders[name])
    expect(response.headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains')
    expect(response.headers.get('server')).toBeNull()
    expect(response.headers.get('x-powered-by')).toBeNull()
  })

  test('a defect: 500', async () => {
    await logins.knex.schema.renameTable('clients', 'clients_away')
    try {
      const response = await request('/oauth2/authorize?client_id=x')
      expect(response.status).toBe(500)
      expect(response.headers.get('content-security-policy')).toBe(pageHeaders['Content-Security-Policy'])
      expect(response.headers.get('strict-transport-security')).toMatch(/^max-age=31536000/)
    } finally {
      await logins.knex.schema.renameTable('clients_away', 'clients')
    }
  })
})

test('no Strict-Transport-Security if the service is called without TLS', async () => {
  const response = await fetch(`${logins.auth}/oauth2/jwks`)
  expect(response.headers.get('strict-transport-security')).toBeNull()
})
