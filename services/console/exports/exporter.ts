import type { Knex } from 'knex'
import type { Registry } from 'prom-client'
import { limits } from '#contracts'
import { createGauge, type Logger, startCleanup } from '#runtime'
import type { ServiceClients } from '../bus.ts'
import { failExport, insertPart, keepAlive, type NewExport, sweepExports, updateExport } from '../store/exports.ts'
import { createEncoder } from './charset.ts'
import { columnsOf } from './columns.ts'
import { toCsv } from './csv.ts'
import { walkUsers } from './users.ts'
import { writeZip } from './zip.ts'

/** Makes exports beside the requests. */
export interface Exporter extends AsyncDisposable {
  /**
   * Makes an export that was noted before. The password stays in this process's memory: an export whose process ends fails,
   * and is requested again.
   */
  readonly begin: (wanted: NewExport, password: string) => void
}

interface ExporterDeps extends Pick<ServiceClients, 'identity' | 'profile'> {
  readonly knex: Knex
  readonly now: () => Date
  readonly logger: Logger
  readonly registry: Registry
}

/** Exports made at a time by one process; further ones wait. Our choice. */
const atOnce = 2
const tellAliveEveryMs = 15_000

export function createExporter(deps: ExporterDeps): Exporter {
  const { knex, now, logger, registry } = deps
  const waiting: (() => Promise<void>)[] = []
  const held = new Map<string, AbortController>()
  const running = new Set<Promise<void>>()
  createGauge(registry, 'sociallogin_console_exports', (gauge) => {
    gauge.set({ state: 'waiting' }, waiting.length)
    gauge.set({ state: 'running' }, running.size)
  })

  const next = () => {
    const work = running.size < atOnce ? waiting.shift() : undefined
    if (work === undefined) return
    const done = work().finally(() => {
      running.delete(done)
      next()
    })
    running.add(done)
  }
  const warn = (error: unknown) => logger.warn({ error }, 'exports could not be looked after')
  const alive = setInterval(() => {
    if (held.size > 0) keepAlive(knex, [...held.keys()]).catch(warn)
  }, tellAliveEveryMs).unref()
  const sweeping = startCleanup('exports', () => sweepExports(knex, now()), { logger, registry })

  return {
    begin(wanted, password) {
      const { export_id } = wanted
      const ending = new AbortController()
      held.set(export_id, ending)
      waiting.push(async () => {
        try {
          await makeExport(wanted, password, ending.signal, deps)
        } catch (error) {
          if (!ending.signal.aborted) logger.error({ error, export_id }, 'an export failed')
          await failExport(knex, export_id).catch(warn)
        } finally {
          held.delete(export_id)
        }
      })
      next()
    },
    async [Symbol.asyncDispose]() {
      clearInterval(alive)
      sweeping[Symbol.dispose]()
      for (const ending of held.values()) ending.abort()
      while (running.size > 0) await Promise.all(running)
    },
  }
}

async function makeExport(
  { export_id, site, charset, with_profile }: NewExport,
  password: string,
  ending: AbortSignal,
  deps: ExporterDeps,
): Promise<void> {
  const { knex, now } = deps
  const encoder = createEncoder(charset)
  const columns = columnsOf(with_profile)
  const tell = async (progress: Parameters<typeof updateExport>[2]) => {
    ending.throwIfAborted()
    if (!(await updateExport(knex, export_id, progress))) throw new Error('The export was given up.')
  }
  await tell({ state: 'running' })

  let written = 0
  async function* content(): AsyncGenerator<Uint8Array> {
    yield encoder.encode(toCsv([columns.map(({ title }) => title)]))
    for await (const { total, users } of walkUsers({ site, with_profile }, deps, ending)) {
      yield encoder.encode(toCsv(users.map((user) => columns.map((column) => column.tell(user)))))
      written += users.length
      await tell({ written, total: Math.max(total, written) })
    }
  }
  const bytes = await writeZip({ name: 'users.csv', content: content(), password }, (part, number) =>
    insertPart(knex, export_id, number, part),
  )
  const expiresAt = new Date(now().getTime() + limits.export_seconds * 1_000)
  await tell({ state: 'ready', written, total: written, replaced: encoder.replaced(), bytes, expires_at: expiresAt })
}
