import type { Knex } from 'knex'
import type { Registry } from 'prom-client'
import { limits, type Provider, type SiteDetails } from '#contracts'
import { transaction } from '#database'
import { createGauge, type Logger, startCleanup, toTimestamp } from '#runtime'
import type { ServiceClients } from '../bus.ts'
import {
  cleanUpExports,
  failExport,
  insertPart,
  type NewExport,
  updateExport,
  updateHeartbeats,
} from '../store/exports.ts'
import { notifyOnce } from '../store/notices.ts'
import { createEncoder } from './charset.ts'
import { type ExportedUser, listColumns } from './columns.ts'
import { toCsv } from './csv.ts'
import { toRecordLines } from './records.ts'
import { iterateUsers, listConfigured } from './users.ts'
import { writeZip } from './zip.ts'

/** Names the site of an export, for notices. */
export type ExportedSite = Pick<SiteDetails, 'account' | 'site_id' | 'name'>

/** Writes exports in the background. */
export interface Exporter extends AsyncDisposable {
  /**
   * Queues a stored export. The password stays in the memory of this process only: if the process ends, the export fails and must be
   * requested again.
   */
  readonly enqueue: (job: NewExport, password: string, site: ExportedSite) => void
}

interface ExporterDeps extends Pick<ServiceClients, 'identity' | 'profile' | 'provider_auth' | 'friendship'> {
  readonly knex: Knex
  readonly now: () => Date
  readonly logger: Logger
  readonly registry: Registry
}

/** Exports that one process writes at the same time; others wait. Our choice. */
const maxConcurrentExports = 2
const heartbeatIntervalMs = 2_000

export function createExporter(deps: ExporterDeps): Exporter {
  const { knex, now, logger, registry } = deps
  const waiting: (() => Promise<void>)[] = []
  const controllers = new Map<string, AbortController>()
  const running = new Set<Promise<void>>()
  createGauge(registry, 'sociallogin_console_exports', (gauge) => {
    gauge.set({ state: 'waiting' }, waiting.length)
    gauge.set({ state: 'running' }, running.size)
  })

  const startNext = () => {
    const work = running.size < maxConcurrentExports ? waiting.shift() : undefined
    if (work === undefined) return
    const done = work().finally(() => {
      running.delete(done)
      startNext()
    })
    running.add(done)
  }
  const warn = (error: unknown) => logger.warn({ error }, 'heartbeat of exports failed')
  const heartbeat = setInterval(() => {
    if (controllers.size > 0) updateHeartbeats(knex, [...controllers.keys()]).catch(warn)
  }, heartbeatIntervalMs).unref()
  const cleanup = startCleanup('exports', () => cleanUpExports(knex, now()), { logger, registry })

  return {
    enqueue(wanted, password, site) {
      const { export_id } = wanted
      const controller = new AbortController()
      controllers.set(export_id, controller)
      waiting.push(async () => {
        try {
          await writeExport(wanted, { password, site, signal: controller.signal }, deps)
        } catch (error) {
          if (!controller.signal.aborted) logger.error({ error, export_id }, 'export failed')
          await failExport(knex, export_id).catch(warn)
        } finally {
          controllers.delete(export_id)
        }
      })
      startNext()
    },
    async [Symbol.asyncDispose]() {
      clearInterval(heartbeat)
      cleanup[Symbol.dispose]()
      for (const controller of controllers.values()) controller.abort()
      while (running.size > 0) await Promise.all(running)
    },
  }
}

async function writeExport(
  wanted: NewExport,
  { password, site, signal }: { password: string; site: ExportedSite; signal: AbortSignal },
  deps: ExporterDeps,
): Promise<void> {
  const { knex, now } = deps
  const { export_id, format, charset } = wanted
  const encoder = createEncoder(charset, { withMark: format === 'csv' })
  const { header, toLines } =
    format === 'csv'
      ? createCsvFormat(wanted, await listConfigured(wanted, deps, signal))
      : { header: '', toLines: toRecordLines }
  const reportProgress = async (progress: Parameters<typeof updateExport>[2]) => {
    signal.throwIfAborted()
    if (!(await updateExport(knex, export_id, progress))) throw new Error('The export was aborted.')
  }
  await reportProgress({ state: 'running' })

  let written = 0
  async function* content(): AsyncGenerator<Uint8Array> {
    yield encoder.encode(header)
    for await (const { total, users } of iterateUsers(wanted, deps, signal)) {
      yield encoder.encode(toLines(users))
      written += users.length
      await reportProgress({ written, total: Math.max(total, written) })
    }
  }
  const bytes = await writeZip({ name: `users.${format}`, content: content(), password }, (part, number) =>
    insertPart(knex, export_id, number, part),
  )
  const expiresAt = new Date(now().getTime() + limits.export_seconds * 1_000)
  signal.throwIfAborted()
  await transaction(knex, async (trx) => {
    const progress = { written, total: written, replaced: encoder.replaced(), bytes, expires_at: expiresAt }
    if (!(await updateExport(trx, export_id, { state: 'ready', ...progress })))
      throw new Error('The export was aborted.')
    const { account, site_id, name } = site
    const details = { until_at: toTimestamp(expiresAt), site_name: name }
    await notifyOnce(trx, { account, site_id, kind: 'export_ready', details }, now())
  })
}

function createCsvFormat(wanted: NewExport, configured: readonly Provider[]) {
  const columns = listColumns(wanted.columns, wanted.with_profile, configured)
  const options = { numbersAsText: wanted.numbers_as_text }
  return {
    header: toCsv([columns.map(({ title }) => title)], options),
    toLines: (users: readonly ExportedUser[]) =>
      toCsv(
        users.map((user) => columns.map((column) => column.getValue(user))),
        options,
      ),
  }
}
