import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { freePort, startPrometheus } from '#local'
import { type Constellation, seedSite, startConstellation } from '#testing'
import { authorizeAddress, logIn, openTestBrowser } from '../../../services/provider-auth/test/browser.ts'

const Answer = z.object({ status: z.literal('success'), data: z.unknown() })
const Found = z.object({ result: z.array(z.unknown()) })
const Rules = z.object({
  groups: z.array(
    z.object({
      rules: z.array(
        z.object({
          type: z.enum(['alerting', 'recording']),
          name: z.string(),
          query: z.string(),
          health: z.string(),
          labels: z.record(z.string(), z.string()).optional(),
          annotations: z.record(z.string(), z.string()).optional(),
        }),
      ),
    }),
  ),
})

export type Rule = z.infer<typeof Rules>['groups'][number]['rules'][number]

/** The constellation with some traffic, and a Prometheus that scrapes it and evaluates the chart's rules. */
export interface Stage extends AsyncDisposable {
  /** How many series an expression finds. Throws when Prometheus refuses it. */
  readonly find: (expression: string) => Promise<number>
  readonly rules: () => Promise<Rule[]>
  /** What each service says of its metrics. */
  readonly exposed: () => Promise<ReadonlyMap<string, string>>
}

export async function setStage(): Promise<Stage> {
  await using starting = new AsyncDisposableStack()
  const constellation = starting.use(await startConstellation())
  const directory = await mkdtemp(join(tmpdir(), 'social-login-watch-'))
  starting.defer(() => rm(directory, { recursive: true, force: true }))
  const process_port = await startProcess(starting)
  const targets = Object.entries(constellation.services).flatMap(([service, replicas]) =>
    replicas.map(({ operations_port }) => ({ service: service.replaceAll('_', '-'), port: operations_port })),
  )
  targets.push({ service: 'process', port: process_port })
  await makeTraffic(constellation)

  const config_file = join(directory, 'prometheus.json')
  await writeFile(config_file, JSON.stringify(configuration(targets)))
  const { url } = starting.use(await startPrometheus({ directory, config_file }))
  const traffic = setInterval(() => void makeTraffic(constellation).catch(() => {}), 2_000)
  starting.defer(() => clearInterval(traffic))

  const ask = async (path: string) => {
    const answer: unknown = await (await fetch(`${url}/api/v1/${path}`)).json()
    return Answer.parse(answer, { reportInput: true }).data
  }
  const stack = starting.move()
  return {
    find: async (expression) => Found.parse(await ask(`query?query=${encodeURIComponent(expression)}`)).result.length,
    rules: async () => Rules.parse(await ask('rules')).groups.flatMap(({ rules }) => rules),
    async exposed() {
      const texts = await Promise.all(
        targets.map(async ({ service, port }): Promise<[string, string]> => {
          return [service, await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()]
        }),
      )
      return new Map(texts)
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

/** JSON is YAML. */
function configuration(targets: readonly { service: string; port: number }[]) {
  return {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: [resolve('charts/social-login/rules/*.yaml')],
    scrape_configs: targets.map(({ service, port }) => ({
      job_name: `social-login-${service}`,
      static_configs: [{ targets: [`127.0.0.1:${port}`] }],
    })),
  }
}

/** The constellation's services share one process; metrics of a process are those of one that has its own. */
async function startProcess(stack: AsyncDisposableStack): Promise<number> {
  const [port, operations_port] = [await freePort(), await freePort()]
  const child: ChildProcess = spawn(process.execPath, ['services/provider-simulator/main.ts'], {
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      SIMULATOR_URL: `http://localhost:${port}`,
      OPS_PORT: String(operations_port),
      LOG_LEVEL: 'silent',
    },
    stdio: 'ignore',
  })
  stack.defer(() => void child.kill('SIGKILL'))
  return operations_port
}

/** A login with its tokens, calls of the Web API good and bad, and a user deleted. */
async function makeTraffic(constellation: Constellation): Promise<void> {
  const site = await seedSite(constellation)
  const { client } = site
  const callback = await logIn(openTestBrowser(), authorizeAddress(site, 'search'))
  const redeem = () =>
    fetch(`${constellation.auth}/oauth2/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${client.client_id}:${client.client_secret}`)}` },
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code: callback.searchParams.get('code') ?? '',
        redirect_uri: client.redirect_uri,
      }),
    })
  for (const _time of [1, 2]) await redeem()
  const user = { primary_key: `user-${site.site_id}` }
  const calls: [string, Record<string, string>][] = [
    ['appinfo', {}],
    ['create_user', user],
    ['user_attribute', user],
    ['friendship_status', user],
    ['users', { limit: 'wrong' }],
    ['delete_user', user],
    ['user_attribute', user],
  ]
  for (const [operation, parameters] of calls)
    await fetch(`${constellation.web_api}/${operation}?${new URLSearchParams({ key: site.api_key, ...parameters })}`)
  await fetch(`${constellation.web_api}/appinfo?key=sl_wrong`)
}
