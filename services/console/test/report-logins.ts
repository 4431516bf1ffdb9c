import { randomUUID } from 'node:crypto'
import { Registry } from 'prom-client'
import { beforeAll } from 'vitest'
import type { z } from 'zod'
import { type BusClient, connectBus, createClient } from '#bus'
import { consoleContract, type LoginLogRecord } from '#contracts'
import { createLogger } from '#runtime'
import type { UsageFixture } from './usage-fixture.ts'

export type NewLoginRecord = Omit<z.input<typeof LoginLogRecord>, 'site'>

/** Records of logins that are reported now. Each test file creates its own: workers keep modules for longer than a login waits. */
export function createLoginRecords() {
  /** The time of the report, as a whole second. */
  const reportedAt = Math.floor(Date.now() / 1_000) * 1_000
  const start = { at: reportedAt - 20_000, kind: 'openid', provider: 'search', client_id: 'shop' } as const
  const end = {
    at: reportedAt - 10_000,
    returned_at: reportedAt - 10_200,
    result: 'completed',
    reason: null,
  } as const
  const failed = { ...end, result: 'failed', reason: 'provider_client', error: 'server_error' } as const
  /** A login that started some seconds after `start`. */
  const loginAt = (seconds: number, changes: Partial<NewLoginRecord> = {}): NewLoginRecord => ({
    login_id: randomUUID(),
    start: { ...start, at: start.at + seconds * 1_000 },
    end,
    ...changes,
  })
  return { reportedAt, start, end, failed, loginAt }
}

/** What a replica of provider-auth needs to report. */
export interface Reporter {
  readonly bus: BusClient<typeof consoleContract>
  readonly nextReport: () => { readonly source: string; readonly sequence: number }
}

/** Connects a test file to the bus. The returned function works while its tests and hooks run. */
export function createReporter(stage: Pick<UsageFixture, 'serviceStack'>): () => Reporter {
  const source = randomUUID()
  let sequence = 0
  let reporter: Reporter | undefined
  beforeAll(async () => {
    const logger = createLogger('test', 'silent')
    const connection = await connectBus(stage.serviceStack.nats.url, { name: 'test', logger })
    const bus = createClient(connection, consoleContract, new Registry())
    reporter = { bus, nextReport: () => ({ source, sequence: sequence++ }) }
    return () => connection[Symbol.asyncDispose]()
  })
  return () => {
    if (reporter === undefined) throw new Error('Set in beforeAll.')
    return reporter
  }
}

/** Reports records of logins of a site. */
export async function reportLogins(
  { bus, nextReport }: Reporter,
  site: number,
  records: readonly NewLoginRecord[],
  { serviceStack }: Pick<UsageFixture, 'serviceStack'>,
  incompleteSites: number[] = [],
): Promise<void> {
  const logins = records.map((record) => ({ ...record, site }))
  await bus.reportLoginRecords({ ...nextReport(), logins, incomplete_sites: incompleteSites }, serviceStack.call())
}
