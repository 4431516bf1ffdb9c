import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import Router from '@koa/router'
import { connect } from '@nats-io/transport-node'
import { Redis } from 'ioredis'
import Koa from 'koa'
import pg from 'pg'
import { pino } from 'pino'
import { RateLimiterRedis } from 'rate-limiter-flexible'
import { hashSecret } from '#runtime'
import { readArmEnvironment, reportServing } from '../environment.ts'
import type { FoundUser } from './users.ts'

/**
 * The gateway of the stock chain: the same API by popular packages with their defaults. Keys in memory, a limit in Redis for each
 * request, a request over NATS for each question, and a log line.
 */
const { IDENTITY_URL, REDIS_URL, NATS_URL } = readArmEnvironment()
const points = 1_000_000_000
const timeoutMs = 5_000

const logger = pino()
const nats = await connect({ servers: NATS_URL })
const redis = new Redis(REDIS_URL)
const limiter = new RateLimiterRedis({ storeClient: redis, keyPrefix: 'stock', points, duration: 60 })
const siteByHash = await readKeys()

interface StockState {
  site: number
}

const app = new Koa<StockState>()
app.use(async (ctx, next) => {
  const startedAt = performance.now()
  const requestId = randomUUID()
  ctx.set('X-Request-Id', requestId)
  await next()
  const { method, path, status, state } = ctx
  const durationMs = Math.round(performance.now() - startedAt)
  logger.info({ request_id: requestId, method, path, site: state.site, status, duration_ms: durationMs })
})
app.use(async (ctx, next) => {
  const key = /^Bearer (\S+)$/.exec(ctx.get('Authorization'))?.[1]
  const site = key === undefined ? undefined : siteByHash.get(hashSecret(key))
  if (site === undefined) return ctx.throw(401)
  ctx.state.site = site
  const { remainingPoints, msBeforeNext } = await limiter.consume(site)
  ctx.set('X-RateLimit-Limit', String(points))
  ctx.set('X-RateLimit-Remaining', String(remainingPoints))
  ctx.set('X-RateLimit-Reset', new Date(Date.now() + msBeforeNext).toISOString())
  await next()
})

const router = new Router<StockState>()
router.get('/api/appinfo', (ctx) => {
  ctx.body = { status: 'ok', info: { site: ctx.state.site } }
})
router.get('/api/providers_of_user', async (ctx) => {
  const { links } = await findUser(ctx.state.site, ctx.query.identifier)
  ctx.body = { status: 'ok', providers: links.map(({ provider }) => provider) }
})
router.get('/api/profile', async (ctx) => {
  const { user } = await findUser(ctx.state.site, ctx.query.identifier)
  const data = await ask<object>('stock.profiles.find', { site: ctx.state.site, identifier: user.identifier })
  ctx.body = { status: 'ok', user, ...data }
})
app.use(router.routes())

const server = app.listen(0, '127.0.0.1')
await once(server, 'listening')
const address = server.address()
reportServing(typeof address === 'object' ? address?.port : undefined)

function findUser(site: number, identifier: unknown): Promise<FoundUser> {
  return ask('stock.users.find', { site, identifier })
}

async function ask<T>(subject: string, question: object): Promise<T> {
  const reply = await nats.request(subject, JSON.stringify(question), { timeout: timeoutMs })
  return reply.json<T>()
}

async function readKeys(): Promise<ReadonlyMap<string, number>> {
  const database = new pg.Client({ connectionString: IDENTITY_URL })
  await database.connect()
  const { rows } = await database.query<{ key_hash: string; site: number }>('select key_hash, site from api_keys')
  await database.end()
  return new Map(rows.map(({ key_hash, site }) => [key_hash, site]))
}
