import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect } from '@nats-io/transport-node'
import { Redis } from 'ioredis'
import { readArmEnvironment, reportServing } from '../environment.ts'
import { SkeletonSites } from './sites.ts'

/**
 * The gateway of the skeleton: the same hops in their leanest form, without logic. One script in Redis for each request, and a
 * request over NATS for each question.
 */
const { REDIS_URL, NATS_URL, SITES_FILE } = readArmEnvironment()
const script = `local count = redis.call('INCR', KEYS[1])
if count == 1 then redis.call('PEXPIRE', KEYS[1], 60000) end
return count`

const nats = await connect({ servers: NATS_URL })
const redis = new Redis(REDIS_URL)
const siteByKey = new Map(SkeletonSites.parse(JSON.parse(readFileSync(SITES_FILE, 'utf8'))))
const sha = String(await redis.script('LOAD', script))

const server = createServer((request, response) => {
  respond(request, response).catch((error: unknown) => {
    response.writeHead(500).end(String(error))
  })
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const address = server.address()
reportServing(typeof address === 'object' ? address?.port : undefined)

async function respond({ url = '', headers }: IncomingMessage, response: ServerResponse): Promise<void> {
  const site = siteByKey.get(headers.authorization?.slice('Bearer '.length) ?? '')
  if (site === undefined) throw new Error('The key is unknown.')
  await redis.evalsha(sha, 1, `skeleton:${site}`)
  const question = JSON.stringify([site, url.slice(url.indexOf('=') + 1)])
  const user = await nats.request('skeleton.user', question, { timeout: 5_000 })
  if (url.startsWith('/api/providers_of_user')) {
    const { providers } = user.json<{ providers: string[] }>()
    return send(response, `{"status":"ok","providers":${JSON.stringify(providers)}}`)
  }
  const profile = await nats.request('skeleton.profile', question, { timeout: 5_000 })
  send(response, `{"status":"ok","user":${user.string()},"profile":${profile.string()}}`)
}

function send(response: ServerResponse, body: string): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
  response.end(body)
}
