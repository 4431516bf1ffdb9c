import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { Registry } from 'prom-client'
import { z } from 'zod'
import { connectBus, createClient, newCall } from '#bus'
import { identityContract } from '#contracts'
import { findFreePort, startNats, startRedis } from '#local'
import { createLogger } from '#runtime'
import { startServiceProcess } from '../../toolkit/stack/service-process.ts'
import type { UserListSite } from './seeded-site.ts'

/** The fields of a `users` response that the benchmark needs. */
const TimedResponse = z.object({
  users: z.array(z.string()),
  total: z.int(),
  next_uri: z.string().optional(),
})
export type TimedResponse = z.output<typeof TimedResponse>

/** An identity service and a gateway, each in its own process, with their own NATS and Redis. */
export interface Stage extends AsyncDisposable {
  readonly site: number
  /** Requests a page by parameters or by the `next_uri` of the previous page, and measures the time. */
  readonly requestPage: (
    page: Readonly<Record<string, string>> | string,
  ) => Promise<TimedResponse & { took_ms: number }>
}

export async function startStage({ database_url, site }: UserListSite, directory: string): Promise<Stage> {
  await using stack = new AsyncDisposableStack()
  const nats = stack.use(await startNats({ directory }))
  const redis = stack.use(await startRedis({ directory: join(directory, 'redis'), durable: false }))
  const port = await findFreePort()
  const webApiUrl = `http://localhost:${port}`
  const launch = async (name: string, environment: NodeJS.ProcessEnv) => {
    stack.use(await startServiceProcess(name, directory, { NATS_URL: nats.url, ...environment }))
  }
  await launch('identity', { DATABASE_URL: database_url })
  const apiKey = await openSite(stack, nats.url, site)
  const cursorKey = randomBytes(32).toString('base64')
  const gateway = { PORT: String(port), WEB_API_URL: webApiUrl, REDIS_URL: redis.url, CURSOR_KEY: cursorKey }
  await launch('api-gateway', gateway)

  const headers = { authorization: `Bearer ${apiKey}` }
  const moved = stack.move()
  return {
    site,
    requestPage: async (page) => {
      const address = typeof page === 'string' ? page : `${webApiUrl}/api/users?${new URLSearchParams(page)}`
      const began = performance.now()
      const response = await fetch(address, { headers })
      const body: unknown = await response.json()
      const tookMs = performance.now() - began
      if (response.status !== 200) throw new Error(`${address} returned ${response.status}: ${JSON.stringify(body)}`)
      return { ...TimedResponse.parse(body), took_ms: tookMs }
    },
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  }
}

/** Creates a key for the duration of the stage, and sets a limit that the benchmark does not reach. */
async function openSite(stack: AsyncDisposableStack, natsUrl: string, site: number): Promise<string> {
  const logger = createLogger('benchmark', 'silent')
  const bus = stack.use(await connectBus(natsUrl, { name: 'users-benchmark', logger }))
  const client = createClient(bus, identityContract, new Registry())
  await client.changeSite({ site, requests_per_window: 1_000_000_000 }, newCall())
  const { api_key_id, api_key } = await client.issueApiKey({ site, name: 'benchmark' }, newCall())
  stack.defer(async () => void (await client.revokeApiKey({ site, api_key_id }, newCall())))
  return api_key
}
