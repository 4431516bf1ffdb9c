import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { SetupError } from '#local'
import { hashSecret, newApiKey } from '#runtime'
import { type ConstantResponse, copyResponse } from '../arms/floor/constant-response.ts'
import type { Bench, BenchPart } from '../bench.ts'
import type { LoadRequest } from '../generator/protocol.ts'
import { createHttpArm, type HttpArm } from '../measurement/arm.ts'
import { compareArms } from '../measurement/blocks.ts'
import type { Product } from '../product.ts'
import { type BenchReport, nameProfile } from '../report/bench-report.ts'
import { findArm, judgeControl, tabulateArms } from './figures.ts'

const ours = 'ours'
const oursAgain = 'ours again'
const koa = 'Koa'
const unknownPath = 'ours, 404 of an unknown path'
const inFlight = 64

const mostOfKoa = 1.2
const leastThroughput = 0.95

/** A response of the gateway without a call to a service. */
interface GatewayResponse {
  readonly name: 'appinfo' | 'rejected-key' | 'rate-limit'
  readonly title: string
  readonly requests: readonly (readonly LoadRequest[])[]
  readonly status: number
  readonly shape?: HttpArm['shape']
}

/** What the gateway costs when it answers by itself: rejections, and a request whose only work is the enforcement. */
export const rejections: BenchPart = {
  name: 'rejections',
  summary: '401, 429 and `appinfo`, which call no service, against bare Koa with the same response',
  async run(bench) {
    const product = await bench.product()
    const appInfo = await compareWithKoa(bench, product, {
      name: 'appinfo',
      title: '`appinfo`: key check, rate limit and a constant response',
      status: 200,
      requests: product.prepared.sites.map(({ api_key }) => [createRequest(api_key, 200)]),
    })
    const wrongKey = await compareWithKoa(bench, product, {
      name: 'rejected-key',
      title: '401: an unknown key',
      status: 401,
      requests: createWrongKeyRequests(),
      shape: wrongKeyShape,
    })
    const limited = await compareWithKoa(bench, product, {
      name: 'rate-limit',
      title: '429: a site at its limit',
      status: 429,
      requests: [[createRequest(await exhaustLimit(product), 429)]],
    })
    return [appInfo, wrongKey, limited]
  },
}

const wrongKeys = 200

/** Requests that the gateway rejects with 401. They need `wrongKeyShape`. */
export function createWrongKeyRequests(): readonly (readonly LoadRequest[])[] {
  return Array.from({ length: wrongKeys }, () => [createRequest(newApiKey(), 401)])
}

/** Each connection has another address and sends fewer requests than one address may send with a wrong key. */
export const wrongKeyShape = { requests_per_connection: 500, varies_address: true } as const

function createRequest(key: string, status: number): LoadRequest {
  return { method: 'GET', path: '/api/appinfo', headers: { authorization: `Bearer ${key}` }, status }
}

async function compareWithKoa(
  { compare, generator, baselines }: Bench,
  { processes, gateways }: Product,
  { name, title, requests, status, shape = {} }: GatewayResponse,
): Promise<BenchReport> {
  await generator.prepare(name, requests)
  await generator.prepare(unknownPath, [[{ method: 'GET', path: '/api/unknown', headers: {}, status: 404 }]])
  const [first] = requests.flat()
  const response = await fetch(`${gateways()[0]}${first?.path}`, { headers: first?.headers ?? {} })
  if (response.status !== status) throw new Error(`The gateway returned ${response.status} instead of ${status}.`)
  const echo = await startEcho(await baselines(), await copyResponse(response))
  const product = { workload: name, shape, processes, addresses: gateways }
  const arms = [
    createHttpArm(generator, { name: ours, ...product }),
    createHttpArm(generator, { name: koa, workload: name, shape, ...echo }),
    ...(name === 'appinfo' ? [createHttpArm(generator, { name: unknownPath, ...product, workload: unknownPath })] : []),
    createHttpArm(generator, { name: oursAgain, ...product }),
  ]
  const measured = await compare(`${name}, ${inFlight} in flight`, arms, { in_flight: inFlight })
  const [one, other] = [findArm(measured, ours), findArm(measured, koa)]
  const target =
    name === 'appinfo'
      ? {
          what: 'enforcement on : off, throughput of `appinfo` : Koa',
          value: compareArms(one, other, 'throughput'),
          limit: { at_least: leastThroughput },
          profile: nameProfile('api-gateway', 'reads'),
        }
      : {
          what: `${status} : Koa`,
          value: compareArms(one, other),
          limit: { at_most: mostOfKoa },
          profile: nameProfile('api-gateway', 'rejections'),
        }
  return {
    title,
    text: [
      'Koa sends the same status, headers and body as ours, as a constant.',
      ...(name === 'appinfo'
        ? [
            'The product has no switch for its enforcement. This comparison is stricter than one with such a switch: metrics, usage reports and log lines of the product count as enforcement. The gateway rejects an unknown path before it checks the key and the limit, so that this row shows its cost without them, but with an error.',
          ]
        : []),
    ],
    tables: [tabulateArms(`${inFlight} in flight`, measured)],
    targets: [target],
    charts: [],
    warnings: judgeControl(title, measured, ours, oursAgain),
  }
}

async function startEcho({ start }: Awaited<ReturnType<Bench['baselines']>>, response: ConstantResponse) {
  return start([{ name: koa, script: 'floor/koa.ts', environment: { RESPONSE: JSON.stringify(response) } }], [])
}

const limitDeadlineMs = 60_000

/** Lowers the limit of the site for logins, which no other part calls, to one request. Returns its key. */
async function exhaustLimit({ serviceStack, prepared, gateways }: Product): Promise<string> {
  const key = prepared.login_site?.api_key ?? ''
  const database = new pg.Client({ connectionString: serviceStack.wiring.database_urls.get('identity') })
  await database.connect()
  await database.query(
    `with revisions as (update site_revisions set newest = newest + 1 returning newest)
     update sites set requests_per_window = 1, revision = newest from revisions, api_keys
     where sites.site = api_keys.site and key_hash = $1`,
    [hashSecret(key)],
  )
  await database.end()
  const headers = { authorization: `Bearer ${key}` }
  for (const until = Date.now() + limitDeadlineMs; Date.now() < until; await delay(200)) {
    const { status } = await fetch(`${gateways()[0]}/api/appinfo`, { headers })
    if (status === 429) return key
  }
  throw new SetupError('The gateway did not receive the changed limit in time.')
}
