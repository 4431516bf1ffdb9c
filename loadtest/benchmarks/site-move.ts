import { execFile } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs, promisify } from 'node:util'
import { z } from 'zod'
import { type SiteMove, SiteMove as SiteMoveSchema } from '#admin-api'
import { ensurePrograms, SetupError } from '#local'
import { createConsoleAccess } from '../../deploy/local/console-access.ts'
import { type DemoSite, seedDemo } from '../../deploy/local/demo.ts'
import { listenForInterruption } from '../../deploy/local/interruption.ts'
import { createStep } from '../../deploy/local/progress.ts'
import { root } from '../../deploy/local/settings.ts'
import { machineFacts } from '../toolkit/machine-facts.ts'
import { formatTable } from '../toolkit/markdown-table.ts'
import { startLoadTestStack } from '../toolkit/stack/start.ts'
import { openMeter, reportedServers, reportedServices } from './cost/meter.ts'
import { createImportedUsers } from './imported-users.ts'

/**
 * `npm run bench:site-move`: time and CPU time of each state of the move of a site between two cells, and how long its changes are
 * rejected at the old address, with an application that creates a user every 50 ms.
 */
const usage = 'Usage: npm run bench:site-move [-- --users 10000]'
const Options = z.object({ users: z.coerce.number().pipe(z.int().min(1_000)).default(10_000) })
const Progress = z.object({ move: SiteMoveSchema })

const pollMs = 20
const probeMs = 50

const run = promisify(execFile)
const interruption = listenForInterruption()
const step = createStep(interruption)
try {
  const { users } = Options.parse(parseArgs({ options: { users: { type: 'string' } } }).values)
  await using stack = new AsyncDisposableStack()
  const directory = await mkdtemp(join(tmpdir(), 'site-move-'))
  stack.defer(() => rm(directory, { recursive: true, force: true }))
  await step('Programs', (note) =>
    ensurePrograms(['postgres', 'redis', 'nats'], { note, log: join(directory, 'install.log') }),
  )
  const startCell = async (name: string) => {
    const place = join(directory, name)
    await mkdir(place)
    const serviceStack = stack.use(await startLoadTestStack(place, { gateways: 1, step, interruption }))
    return { ...serviceStack.wiring.addresses, serviceStack, meter: stack.use(openMeter(place, serviceStack)) }
  }
  const source = await startCell('source')
  const target = await startCell('target')
  const [site] = await seedDemo(source.serviceStack.wiring, source.serviceStack.secrets)
  const { console_token: token } = await createConsoleAccess(source.serviceStack.wiring)
  const { console_token: targetToken } = await createConsoleAccess(target.serviceStack.wiring)

  const file = join(directory, 'users.ndjson')
  await step('File', () => pipeline(Readable.from(createImportedUsers(users, false)), createWriteStream(file)))
  await step('Import', () =>
    run(
      process.execPath,
      [
        join(root, 'services/console/cli/main.ts'),
        'users',
        'import',
        file,
        '--account',
        site.account,
        '--site-id',
        site.site_id,
      ],
      { env: { PATH: process.env.PATH, SOCIAL_LOGIN_URL: source.console, SOCIAL_LOGIN_TOKEN: token } },
    ),
  )

  const request = async (method: string, path: string, body?: object): Promise<SiteMove> => {
    const response = await fetch(
      `${source.console}/admin/v1/accounts/${site.account}/sites/${site.site_id}/move${path}`,
      {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      },
    )
    const text = await response.text()
    if (!response.ok) throw new Error(`The console answered with ${response.status}: ${text}`)
    return Progress.parse(JSON.parse(text)).move
  }
  const readCpu = async () => {
    const readings = await Promise.all([source, target].map(({ meter }) => meter.read()))
    return readings.map((reading) =>
      [...reportedServices, ...reportedServers].reduce((sum, name) => sum + (reading.get(`cpu ${name}`) ?? 0), 0),
    )
  }
  const rows: string[][] = []
  const follow = async (until: string) => {
    let state = ''
    let [cpu, since] = [await readCpu(), performance.now()]
    for (;;) {
      const move = await request('GET', '')
      const isChange = move.state !== state
      if (isChange && state !== '') {
        const [now, at] = [await readCpu(), performance.now()]
        const spent = now.map((seconds, cell) => (seconds - (cpu[cell] ?? 0)).toFixed(1))
        rows.push([
          `\`${state}\``,
          ((at - since) / 1_000).toFixed(1),
          ...spent,
          String(move.round),
          String(move.rows_sent),
        ])
        ;[cpu, since] = [now, at]
      }
      state = move.state
      if (state === until) return move
      await delay(pollMs, undefined, { signal: interruption })
    }
  }

  const probe = startProbe(source.web_api, site)
  await delay(2_000)
  await request('POST', '', {
    target_url: target.console,
    target_token: targetToken,
    web_api_url: target.web_api,
    auth_url: target.auth,
  })
  const move = await step('Move', () => follow('forwarding'))
  await probe.waitForSuccessAfter(performance.now())
  await delay(5_000)
  const { changes, longestMs, failures } = await probe.stop()
  await request('POST', '/commit')
  await step('Commit', () => follow('committed'))

  const frozenMs = Date.parse(move.switched_at ?? '') - Date.parse(move.frozen_at ?? '')
  const head = ['state', 'seconds', 'CPU time of the first cell, s', 'of the other, s', 'rounds', 'rows sent']
  process.stdout.write(
    `\n${users.toLocaleString('en')} users with an account, tokens, a profile and a friend status each. ${machineFacts()}\n\n${formatTable(head, rows)}\n\n`,
  )
  process.stdout.write(`From frozen_at to switched_at: ${(frozenMs / 1_000).toFixed(1)} s (both have whole seconds).\n`)
  process.stdout.write(
    `At the old address, ${changes} changes were accepted; none was for ${(longestMs / 1_000).toFixed(1)} s. Rejections: ${[...failures].map(([status, count]) => `${count} × ${status}`).join(', ')}.\n`,
  )
} catch (error) {
  process.exitCode = 1
  if (error instanceof z.ZodError) console.error('%s\n%s', usage, z.prettifyError(error))
  else if (!interruption.aborted) console.error('\n%s\n', error instanceof SetupError ? error.message : error)
}
process.exit()

/** Creates a user every 50 ms until stopped. */
function startProbe(webApi: string, { api_key }: DemoSite) {
  const stop = new AbortController()
  const failures = new Map<string, number>()
  let [changes, longestMs, lastAt] = [0, 0, performance.now()]
  const probing = (async () => {
    for (let n = 0; !stop.signal.aborted; n++) {
      const form = new URLSearchParams({ key: api_key, primary_key: `probe-${n}` })
      const status = await fetch(`${webApi}/api/create_user?${form}`).then(
        (response) => response.status,
        () => 0,
      )
      if (status >= 400 && status < 500) throw new Error(`A change was answered with ${status}.`)
      if (status === 200) {
        const now = performance.now()
        changes++
        longestMs = Math.max(longestMs, now - lastAt)
        lastAt = now
      } else failures.set(String(status), (failures.get(String(status)) ?? 0) + 1)
      await delay(probeMs)
    }
  })()
  return {
    async waitForSuccessAfter(at: number) {
      while (lastAt < at) await delay(probeMs, undefined, { signal: interruption })
    },
    async stop() {
      stop.abort()
      await probing
      return { changes, longestMs, failures }
    },
  }
}
