import type { Step } from '../../deploy/local/progress.ts'
import { logIn, openTestBrowser } from '../../services/provider-auth/test/browser.ts'
import { machineFacts } from '../toolkit/machine-facts.ts'
import { formatTable } from '../toolkit/markdown-table.ts'
import { openMeter, readMemory } from './cost/meter.ts'

type MeteredStack = Parameters<typeof openMeter>[1]

/** CPU time per login of each process, and memory of provider-auth. */
export interface LoginMeter extends AsyncDisposable {
  readonly measure: (title: string, count: number, work: () => Promise<void>) => Promise<void>
  /** All measurements as a table, with the machine. */
  readonly formatMeasurements: () => string
}

const columns = ['provider-auth', 'identity', 'profile', 'postgres', 'redis', 'nats']

/** Logins that run side by side. */
export const atOnce = 4

export function openLoginMeter(directory: string, serviceStack: MeteredStack, step: Step): LoginMeter {
  const meter = openMeter(directory, serviceStack)
  const rows: string[][] = []
  return {
    async measure(title, count, work) {
      const before = await meter.read()
      await step(title, work)
      const after = await meter.read()
      const used = columns.map(
        (name) => (1_000 * ((after.get(`cpu ${name}`) ?? 0) - (before.get(`cpu ${name}`) ?? 0))) / count,
      )
      const all = used.reduce((sum, ms) => sum + ms, 0)
      const bytes = readMemory(serviceStack).get('provider-auth') ?? Number.NaN
      rows.push([title, ...[...used, all].map((ms) => ms.toFixed(2)), String(Math.round(bytes / 2 ** 20))])
    },
    formatMeasurements() {
      const head = ['logins', ...columns.map((name) => `${name}, ms`), 'all, ms', 'provider-auth, MiB']
      return `\n${machineFacts()}\n\n${formatTable(head, rows)}\n\n`
    },
    [Symbol.asyncDispose]: () => meter[Symbol.asyncDispose](),
  }
}

/** The URL of a login with a client. */
export function buildLoginUrl(authorizeUri: string, clientId: string, redirectUri: string): string {
  const url = new URL(authorizeUri)
  const parameters = { response_type: 'code', scope: 'openid profile email', state: 'benchmark' }
  for (const [name, value] of Object.entries({ ...parameters, client_id: clientId, redirect_uri: redirectUri }))
    url.searchParams.set(name, value)
  return url.href
}

/** Runs complete logins up to the application's callback. */
export function runLogins(count: number, urlOf: (n: number) => string): Promise<void> {
  return inParallel(count, async (n) => {
    const callback = await logIn(openTestBrowser(), urlOf(n), { user: `User ${n}` })
    if (!callback.searchParams.has('code')) throw new Error(`A login returned ${callback.search}.`)
  })
}

export async function inParallel(count: number, work: (n: number) => Promise<void>): Promise<void> {
  let next = 0
  const one = async () => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: atOnce }, one))
}
