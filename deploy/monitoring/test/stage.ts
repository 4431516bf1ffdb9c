import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { inject } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { findFreePort, findPrograms, startExporter, startPrometheus } from '#local'
import { nodeEnvironment, seedSite, startStack } from '#testing'
import { buildAuthorizeUrl } from '../../../services/provider-auth/test/browser.ts'
import { fileOfMonitoringDoc } from './monitoring-doc.ts'
import { serveStoredExports } from './stored-exports/pages.ts'
import { keepTrafficGoing } from './traffic.ts'

const QueryResponse = z.object({ status: z.literal('success'), data: z.unknown() })
const Found = z.object({
  result: z.array(
    z.object({ metric: z.record(z.string(), z.string()), value: z.tuple([z.number(), z.string()]).optional() }),
  ),
})
const Rules = z.object({
  groups: z.array(
    z.object({
      rules: z.array(
        z.object({
          type: z.enum(['alerting', 'recording']),
          name: z.string(),
          query: z.string(),
          health: z.string(),
        }),
      ),
    }),
  ),
})

export type Rule = z.infer<typeof Rules>['groups'][number]['rules'][number]
export type Series = z.infer<typeof Found>['result'][number]

/** The stack with some traffic, and a Prometheus that scrapes it and its neighbours and evaluates the chart's rules. */
export interface Stage extends AsyncDisposable {
  /** Returns the series of an expression. Throws if Prometheus rejects it. */
  readonly find: (expression: string) => Promise<readonly Series[]>
  readonly rules: () => Promise<Rule[]>
  /** The metadata of the metrics of all targets. */
  readonly exposed: () => Promise<string>
}

/** A target to scrape. `module`: for a probe of the address. */
interface Target {
  readonly job: string
  readonly address: string
  readonly path?: string
  readonly probe?: { readonly module: string; readonly target: string }
}

const exporters = ['postgres_exporter', 'redis_exporter', 'blackbox_exporter'] as const

/** Programs that are not installed. */
export async function missingPrograms(): Promise<string[]> {
  const needed = ['prometheus', ...exporters] as const
  const found = await Promise.all(needed.map((name) => findPrograms(name)))
  return needed.filter((_, place) => found[place]?.length === 0)
}

export async function setStage(): Promise<Stage> {
  await using starting = new AsyncDisposableStack()
  const serviceStack = starting.use(await startStack())
  const directory = await mkdtemp(join(tmpdir(), 'social-login-watch-'))
  starting.defer(() => rm(directory, { recursive: true, force: true }))
  const processPort = await startProcess(starting)
  const replicas = Object.entries(serviceStack.services).flatMap(([service, running]) =>
    running.map(({ operations_port }) => ({ service: service.replaceAll('_', '-'), port: operations_port })),
  )
  replicas.push({ service: 'console', port: serviceStack.console.replica.operations_port })
  replicas.push({ service: 'process', port: processPort })

  const site = await seedSite(serviceStack)
  const exporter = async (...started: Parameters<typeof startExporter>) =>
    new URL(starting.use(await startExporter(...started)).url).host
  const postgres = await exporter('postgres_exporter', {
    directory,
    environment: { DATA_SOURCE_NAME: `${inject('postgres_url')}?sslmode=disable` },
  })
  const redis = await exporter('redis_exporter', { directory, args: ['--redis.addr', serviceStack.redis.url] })
  const modules = fileOfMonitoringDoc('blackbox.yml').replace('/etc/blackbox', directory)
  await writeFile(join(directory, 'blackbox.yml'), modules)
  await writeFile(join(directory, 'api-key'), site.api_key)
  const blackbox = await exporter('blackbox_exporter', {
    directory,
    args: ['--config.file', join(directory, 'blackbox.yml')],
  })
  const exports = starting.use(await serveStoredExports())
  const probe = (module: string, target: string): Target => ({
    job: 'social-login-probe',
    address: blackbox,
    probe: { module, target },
  })
  const targets: Target[] = [
    ...replicas.map(({ service, port }) => ({ job: `social-login-${service}`, address: `127.0.0.1:${port}` })),
    { job: 'social-login-postgres', address: postgres },
    { job: 'social-login-redis', address: redis },
    probe('web_api', `${serviceStack.web_api}/appinfo`),
    probe('discovery', `${serviceStack.auth}/.well-known/openid-configuration`),
    probe('login', buildAuthorizeUrl(site, 'search')),
    ...['kubernetes', 'nats', 'postgres', 'probe', 'k6'].map((page) => ({
      job: `social-login-${page}`,
      address: `127.0.0.1:${exports.port}`,
      path: `/${page}`,
    })),
  ]

  const configFile = join(directory, 'prometheus.json')
  await writeFile(configFile, JSON.stringify(configuration(targets)))
  const { url } = starting.use(await startPrometheus({ directory, config_file: configFile }))
  starting.use(keepTrafficGoing(serviceStack, site))

  const query = async (path: string) => {
    const response: unknown = await (await fetch(`${url}/api/v1/${path}`)).json()
    return QueryResponse.parse(response, { reportInput: true }).data
  }
  const stack = starting.move()
  return {
    find: async (expression) => Found.parse(await query(`query?query=${encodeURIComponent(expression)}`)).result,
    rules: async () => Rules.parse(await query('rules')).groups.flatMap(({ rules }) => rules),
    async exposed() {
      const pages = await Promise.all(targets.map(async (target) => (await fetch(addressOf(target))).text()))
      return pages.join('\n')
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

function addressOf({ address, path = '/metrics', probe }: Target): string {
  return probe === undefined
    ? `http://${address}${path}`
    : `http://${address}/probe?${new URLSearchParams({ ...probe })}`
}

/**
 * JSON is valid YAML. Probes are relabeled as in the documentation; Prometheus requires one configuration for each job.
 */
function configuration(targets: readonly Target[]) {
  const documented = z
    .object({ scrape_configs: z.tuple([z.object({ relabel_configs: z.array(z.record(z.string(), z.unknown())) })]) })
    .parse(parse(fileOfMonitoringDoc('prometheus.yml')))
  const [{ relabel_configs }] = documented.scrape_configs
  const probes = targets.filter(({ probe }) => probe !== undefined)
  return {
    global: { scrape_interval: '2s', evaluation_interval: '2s' },
    rule_files: [resolve('charts/social-login/rules/*.yaml')],
    scrape_configs: [
      ...targets
        .filter(({ probe }) => probe === undefined)
        .map(({ job, address, path = '/metrics' }, place) => ({
          job_name: `${place}`,
          metrics_path: path,
          static_configs: [{ targets: [address] }],
          relabel_configs: [{ target_label: 'job', replacement: job }],
        })),
      {
        job_name: 'social-login-probe',
        metrics_path: '/probe',
        scrape_interval: '5s',
        static_configs: probes.map(({ probe }) => ({
          targets: [probe?.target],
          labels: { __param_module: probe?.module },
        })),
        relabel_configs: relabel_configs.map((step) =>
          step.target_label === '__address__' ? { ...step, replacement: probes[0]?.address } : step,
        ),
      },
    ],
  }
}

/** The stack's services share one process, so metrics of processes come from a service that has its own. */
async function startProcess(stack: AsyncDisposableStack): Promise<number> {
  const [port, operationsPort] = [await findFreePort(), await findFreePort()]
  const child: ChildProcess = spawn(process.execPath, ['services/provider-simulator/main.ts'], {
    env: {
      ...nodeEnvironment,
      PORT: String(port),
      SIMULATOR_URL: `http://localhost:${port}`,
      OPS_PORT: String(operationsPort),
      LOG_LEVEL: 'silent',
    },
    stdio: 'ignore',
  })
  stack.defer(() => void child.kill('SIGKILL'))
  return operationsPort
}
