import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { runningPid, startNats } from '#local'
import { hashSecret } from '#runtime'
import { type BenchProcess, startBenchProcess } from '../child.ts'
import type { CountedProcess } from '../measurement/arm.ts'
import type { Product } from '../product.ts'
import { ServingReport } from './environment.ts'
import type { SkeletonSites } from './skeleton/sites.ts'

/** Processes of an arm that the product is compared with. */
export interface Baseline {
  /** Its processes, with the servers that it uses. */
  readonly processes: () => readonly CountedProcess[]
  readonly addresses: () => readonly string[]
  /** Its last process; undefined if it consists of servers only. */
  readonly driver: Pick<BenchProcess, 'send' | 'receive'> | undefined
}

/** A process of a baseline, by its script below `arms`. */
export interface BaselineProcess {
  readonly name: string
  readonly script: string
  readonly environment?: Readonly<Record<string, string>>
}

export interface Baselines extends AsyncDisposable {
  /**
   * Starts processes of an arm, in this order. The addresses are those of the last one.
   *
   * @param servers of the product, and the NATS of all baselines, that count for the arm
   */
  readonly start: (
    processes: readonly BaselineProcess[],
    servers?: readonly ('postgres' | 'redis' | 'nats')[],
  ) => Promise<Baseline>
}

/**
 * Prepares what the baselines share: the product's Postgres and Redis with their rows and keys, and a NATS of their own, because
 * the product's lets only its services connect.
 */
export async function openBaselines(product: Product): Promise<Baselines> {
  await using opening = new AsyncDisposableStack()
  const directory = join(product.directory, 'baselines')
  const nats = opening.use(await startNats({ directory: join(directory, 'nats') }))
  const { wiring } = product.serviceStack
  const identityUrl = wiring.database_urls.get('identity') ?? ''
  const sitesFile = join(directory, 'sites.json')
  writeFileSync(sitesFile, JSON.stringify(await readSiteNumbers(identityUrl, product)), { mode: 0o600 })
  const environment = {
    IDENTITY_URL: identityUrl,
    PROFILE_URL: wiring.database_urls.get('profile') ?? '',
    REDIS_URL: wiring.redisUrl,
    NATS_URL: nats.url,
    SITES_FILE: sitesFile,
  }
  const serverPid = (server: 'postgres' | 'redis' | 'nats') => {
    const name = join(server, `${server}.pid`)
    return runningPid(join(server === 'nats' ? directory : product.directory, name)) ?? 0
  }
  const stack = opening.move()
  return {
    async start(descriptions, servers = ['postgres', 'redis', 'nats']) {
      const started: { readonly name: string; readonly process: BenchProcess }[] = []
      let port = 0
      for (const { name, script, environment: own } of descriptions) {
        const log = join(directory, 'logs', `${script.replaceAll('/', '-')}.log`)
        const process = stack.use(
          startBenchProcess({ script: `arms/${script}`, log, environment: { ...environment, ...own } }),
        )
        port = ServingReport.parse(await process.receive()).port
        started.push({ name, process })
      }
      return {
        processes: () => [
          ...started.map(({ name, process }) => ({ name, pid: process.pid })),
          ...servers.map((name) => ({ name, pid: serverPid(name) })),
        ],
        addresses: () => [`http://127.0.0.1:${port}`],
        driver: started.at(-1)?.process,
      }
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

/** The skeleton looks keys up without hashing them. */
async function readSiteNumbers(identityUrl: string, { prepared }: Product): Promise<SkeletonSites> {
  const database = new pg.Client({ connectionString: identityUrl })
  await database.connect()
  try {
    const { rows } = await database.query<{ key_hash: string; site: number }>('select key_hash, site from api_keys')
    const sites = new Map(rows.map(({ key_hash, site }) => [key_hash, site]))
    return prepared.sites.map(({ api_key }) => [api_key, sites.get(hashSecret(api_key)) ?? 0])
  } finally {
    await database.end()
  }
}
