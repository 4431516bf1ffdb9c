import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DnsServer, startDnsServer } from '#testing'
import { createPublicFileReader } from '../upstream/http-client/public-file.ts'
import { createProofFinder, proofOf } from './proof.ts'

const host = 'login.shop.example'
const claim = { host, token: 'the-token' }
const proof = proofOf(claim)

const stack = new AsyncDisposableStack()
let dns: DnsServer
let respond: RequestListener
let port: number
beforeAll(async () => {
  dns = stack.use(await startDnsServer())
  const server = createServer((request, response) => respond(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  stack.defer(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  port = typeof address === 'object' && address !== null ? address.port : 0
})
afterAll(() => stack.disposeAsync())

/** Looks for the proof with a DNS without records, on a host that is this server. */
async function findProblems(listener: RequestListener, isPrivateAllowed = true) {
  respond = listener
  await using reader = createPublicFileReader(() => isPrivateAllowed)
  const read = (url: string) => reader.read(url.replace(host, `127.0.0.1:${port}`))
  const find = createProofFinder({ dnsServers: [dns.address], fileReader: { ...reader, read } })
  // The reader is closed at the end of this function.
  return await find(claim)
}

test('a file with the value proves a host, also with white space around it', async () => {
  const paths: (string | undefined)[] = []
  const problems = await findProblems((request, response) => {
    paths.push(request.url)
    response.end(`\n${proof}\n`)
  })
  expect(problems).toEqual([])
  expect(paths).toEqual(['/.well-known/social-login-host'])
})

test.each<[string, string, RequestListener]>([
  ['another value', 'file_different', (_, response) => response.end('social-login-host=another')],
  ['the value inside a page', 'file_different', (_, response) => response.end(`<p>${proof}</p>`)],
  ['a long file', 'file_different', (_, response) => response.end('x'.repeat(10_000_000))],
  ['no file', 'file_missing', (_, response) => response.writeHead(404).end(proof)],
  [
    'a redirect to another host',
    'file_missing',
    (_, response) => response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data' }).end(proof),
  ],
  ['a connection that is closed', 'file_missing', (request) => request.socket.destroy()],
])('%s is reported', async (_, problem, listener) => {
  expect(await findProblems(listener)).toEqual(['txt_missing', problem])
})

test('a host at a private address is not asked', async () => {
  let requests = 0
  const problems = await findProblems((_, response) => {
    requests++
    response.end(proof)
  }, false)
  expect(problems).toEqual(['txt_missing', 'address_missing'])
  expect(requests).toBe(0)
})

test('one of several TXT records proves a host without a file', async () => {
  dns.setTxt(`_social-login.${host}`, ['v=spf1 -all', proof])
  expect(await findProblems((_, response) => response.writeHead(500).end())).toEqual([])
  dns.setTxt(`_social-login.${host}`, [])
})
