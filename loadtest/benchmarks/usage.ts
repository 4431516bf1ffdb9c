import { randomBytes } from 'node:crypto'
import { Registry } from 'prom-client'
import { providerNames } from '#contracts'
import { dataHeaders, listenHttp } from '#http'
import { createLogger, createReadiness, hashSecret } from '#runtime'
import { createGateway } from '../../services/api-gateway/app.ts'
import { createCursors } from '../../services/api-gateway/cursors.ts'
import { createCallerCheck } from '../../services/api-gateway/http/check-caller.ts'
import { createResponseCounter } from '../../services/api-gateway/http/count-responses.ts'
import { createIdentifyCaller } from '../../services/api-gateway/http/identify-caller.ts'
import { createRateLimitCheck } from '../../services/api-gateway/http/rate-limit.ts'
import { createRejectCaller } from '../../services/api-gateway/http/reject-caller.ts'
import type { OperationDeps } from '../../services/api-gateway/operation.ts'
import { createSiteTable } from '../../services/api-gateway/site-table.ts'
import type { CompletedRequest, RecordRequest } from '../../services/api-gateway/usage/completed-request.ts'
import { createUsageCounter } from '../../services/api-gateway/usage/usage-counter.ts'

const rounds = 20
const requestsPerRound = 1_000
const countsPerRound = 100_000
/** Between two reports of a site at its limit of 10,000 requests a minute. */
const requestsBetweenReports = 333

const print = (line: string) => process.stdout.write(`${line}\n`)

/** A gateway that calls no service, so that only its own cost is measured, with requests to `appinfo`, the cheapest operation. */
async function startGateway(count: RecordRequest) {
  const registry = new Registry()
  const sites = createSiteTable()
  const settings = {
    account: 'a',
    site_id: 's',
    requests_per_window: 1,
    allowed_addresses: [],
    fixed_address_option: false,
    compatibility: [],
    users_may_be_stale: false,
  }
  const keys = [{ api_key_id: '00000000-0000-4000-8000-000000000000', key_hash: hashSecret('live') }]
  sites.apply([{ site: 1, ...settings, keys, revision: 1 }])
  setInterval(() => sites.confirm(1, performance.now()), 1_000).unref()
  sites.confirm(1, performance.now())
  const baseOf = () => ({ url: 'https://api.example.com', isStatic: false })
  const checkCaller = createCallerCheck({ sites, trusted_hops: 0, baseOf })
  const standing = { admitted: true, mode: 'exact', limit: 1, remaining: 1, resetMs: 1 } as const
  // `appinfo` calls no service.
  const deps = {
    names: providerNames(),
    cursors: createCursors(randomBytes(32)),
    webApiUrl: 'https://api.example.com',
  } as OperationDeps
  const app = createGateway({
    baseOf,
    auth_url: undefined,
    findHostProof: () => undefined,
    identifyCaller: createIdentifyCaller({ checkCaller, reject: createRejectCaller(registry, 60), registry }),
    findChecked: () => undefined,
    limitRate: createRateLimitCheck(async () => standing, registry, 60),
    isOwnKey: () => true,
    isSiteKnown: () => true,
    isStopping: () => false,
    slots: { take: () => ({ [Symbol.dispose]() {} }) },
    runIdempotent: async (_, __, work) => work({ command: '', repeated: false }),
    deps,
    onResponse: createResponseCounter(registry, count),
    registry,
    logger: createLogger('benchmark', 'silent'),
  })
  return listenHttp(
    { PORT: 0, MAX_CONNECTIONS: 1_000, TRUSTED_PROXY_HOPS: 0 },
    { app, headers: dataHeaders, registry, readiness: createReadiness() },
  )
}

/** Microseconds of this process's CPU time, which other work on the machine disturbs less than the clock. */
function since(began: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(began)
  return user + system
}

/** Microseconds of one request, including the client's part. */
async function timeRequests(port: number): Promise<number> {
  const began = process.cpuUsage()
  for (let n = 0; n < requestsPerRound; n++) {
    const response = await fetch(`http://localhost:${port}/api/appinfo?key=live`)
    await response.arrayBuffer()
  }
  return since(began) / requestsPerRound
}

/** Microseconds to count one request from one of the given number of addresses, with its share of a report. */
function timeCounts(addresses: number): number {
  const tally = createUsageCounter()
  const createRequest = (n: number): CompletedRequest => ({
    request_id: '00000000-0000-4000-8000-000000000000',
    site: 1,
    api_key_id: 'k',
    operation: 'users',
    status: 200,
    address: `192.0.${(n % addresses) >> 8}.${n & 255}`,
    code: 0,
    remaining: 1,
    duration_ms: 1.5,
  })
  const prepared = Array.from({ length: addresses }, (_, n) => createRequest(n))
  const began = process.cpuUsage()
  for (let n = 0; n < countsPerRound; n++) {
    const next = prepared[n % addresses]
    if (next !== undefined) tally.record(next)
    if (n % requestsBetweenReports === 0) JSON.stringify(tally.take())
  }
  return since(began) / countsPerRound
}

const median = (times: readonly number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN

const tally = createUsageCounter()
await using counting = await startGateway(tally.record)
await using plain = await startGateway(() => {})
const times = { counting: [] as number[], plain: [] as number[], few: [] as number[], many: [] as number[] }
for (let round = -3; round < rounds; round++) {
  // Each goes first in turn.
  const first = round % 2 === 0 ? await timeRequests(plain.port) : undefined
  const withCounting = await timeRequests(counting.port)
  const measured = {
    plain: first ?? (await timeRequests(plain.port)),
    counting: withCounting,
    few: timeCounts(3),
    many: timeCounts(2_000),
  }
  tally.take()
  if (round < 0) continue
  times.plain.push(measured.plain)
  times.counting.push(measured.counting)
  times.few.push(measured.few)
  times.many.push(measured.many)
}
const [request, counted] = [median(times.plain), median(times.counting)]
print(
  `A request, not counted: ${request.toFixed(0)} µs; counted: ${counted.toFixed(0)} µs (${(counted / request).toFixed(3)} ×).`,
)
for (const [addresses, own] of [
  ['3', median(times.few)],
  ['2,000', median(times.many)],
] as const)
  print(
    `Counting one request, of callers from ${addresses} addresses, reports included: ${own.toFixed(2)} µs, ${((own / request) * 100).toFixed(2)} % of a request.`,
  )
