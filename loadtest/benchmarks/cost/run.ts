import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensurePrograms, SetupError } from '#local'
import { listenForInterruption } from '../../../deploy/local/interruption.ts'
import { createStep } from '../../../deploy/local/progress.ts'
import { prepare } from '../../seed/prepare.ts'
import type { PreparedSite } from '../../seed/prepared.ts'
import { machineFacts } from '../../toolkit/machine-facts.ts'
import { startLoadTestStack } from '../../toolkit/stack/start.ts'
import { createCases } from './cases.ts'
import { measureCase, measureIdle } from './measure.ts'
import { openMeter, readMemory } from './meter.ts'
import { printTables } from './table.ts'

/**
 * `npm run bench:cost`: the cost of one call of each kind, in CPU time of every service and server, and in bus calls, SQL
 * statements and Redis commands; with `--one-process`, of all services in one process. Counts are exact on any machine; other load affects CPU time slightly.
 */
const oneProcess = process.argv.includes('--one-process')
const interruption = listenForInterruption()
const step = createStep(interruption)
try {
  await using stack = new AsyncDisposableStack()
  const directory = await mkdtemp(join(tmpdir(), 'cost-'))
  stack.defer(() => rm(directory, { recursive: true, force: true }))
  await step('Programs', (note) => {
    return ensurePrograms(['postgres', 'redis', 'nats'], { note, log: join(directory, 'install.log') })
  })
  const serviceStack = stack.use(await startLoadTestStack(directory, { gateways: 1, oneProcess, step, interruption }))
  const { web_api, auth } = serviceStack.wiring.addresses
  // A site for each case, because each site has its own rate limit.
  const needed = { sites: 10, users: 10_000, logs_in: true } as const
  const { sites, login_site } = await step('Sites', (note) => prepare(serviceStack, needed, note))
  if (login_site === null) throw new Error('There is no site for logins.')
  const cases = createCases({ auth, login_site, callWebApi: (...input) => callWebApi(web_api, ...input) })

  const meter = stack.use(openMeter(directory, serviceStack))
  const idle = await step('Idle', () => measureIdle(meter))
  const rows = []
  for (const [place, one] of cases.entries()) {
    const site = sites[place]
    if (site === undefined) throw new Error('The case has no site.')
    const used = await step(one.title.replaceAll('`', ''), () => measureCase(one, { meter, site, idle }))
    rows.push({ title: one.title, used })
  }
  const memory = [...readMemory(serviceStack)].map(([name, bytes]) => `${name} ${Math.round(bytes / 2 ** 20)}`)
  process.stdout.write(
    `\n${machineFacts()}\n\n${printTables(rows)}\n\nMemory after all of it, MiB: ${memory.join(', ')}.\n`,
  )
} catch (error) {
  process.exitCode = 1
  if (!interruption.aborted) console.error('\n%s\n', error instanceof SetupError ? error.message : error)
}
process.exit()

async function callWebApi(
  webApi: string,
  { api_key }: PreparedSite,
  operation: string,
  parameters: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  const response = await fetch(`${webApi}/api/${operation}?${new URLSearchParams(parameters)}`, {
    headers: { authorization: `Bearer ${api_key}` },
  })
  const body: unknown = await response.json()
  if (!response.ok) throw new Error(`${operation} returned ${response.status}: ${JSON.stringify(body)}`)
  return body
}
