import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import type { UserImport, userImportProcedures } from '#admin-api'
import type { Call } from '#bus'
import { toTimestamp } from '#runtime'
import { AdminFault } from '../admin-fault.ts'
import type { Deps } from '../deps.ts'
import { receiveBatch } from '../imports/receive-batch.ts'
import {
  endStoredImport,
  findImport,
  findNextBatch,
  insertImport,
  listRejectedLines,
  listStoredImports,
  type StoredImport,
} from '../store/imports.ts'
import type { AdminHandlers } from './admin-handler.ts'
import { resolveSite } from './resolve-site.ts'

interface ImportName {
  readonly account: string
  readonly site_id: string
  readonly import_id: string
}

/** @throws AdminFault `not_found` */
async function requireImport({ import_id, ...name }: ImportName, deps: Deps, call: Call): Promise<StoredImport> {
  const { site } = await resolveSite(name, deps, call)
  const stored = await findImport(deps.knex, { site, import_id })
  if (stored === undefined) throw new AdminFault('not_found')
  return stored
}

async function toUserImport(stored: StoredImport, { knex }: Pick<Deps, 'knex'>): Promise<z.input<typeof UserImport>> {
  const { site: _, started_at, updated_at, ...rest } = stored
  return {
    ...rest,
    next_batch: await findNextBatch(knex, stored.import_id),
    started_at: toTimestamp(started_at),
    updated_at: toTimestamp(updated_at),
  }
}

async function readCurrent(name: ImportName, deps: Deps, call: Call): Promise<z.input<typeof UserImport>> {
  return toUserImport(await requireImport(name, deps, call), deps)
}

export const importHandlers = {
  async listImports(name, deps, { call }) {
    const { site } = await resolveSite(name, deps, call)
    const stored = await listStoredImports(deps.knex, site)
    return { imports: await Promise.all(stored.map((one) => toUserImport(one, deps))) }
  },

  async startImport({ file_name, conflict, dry_run, ...siteName }, deps, { name, call, audit }) {
    const { site } = await resolveSite(siteName, deps, call)
    const importId = randomUUID()
    const started = {
      import_id: importId,
      site,
      file_name,
      conflict,
      dry_run,
      requested_by: name,
      started_at: deps.now(),
    }
    await insertImport(deps.knex, started)
    audit(null, { import_id: importId, file_name, conflict, dry_run })
    return readCurrent({ ...siteName, import_id: importId }, deps, call)
  },

  async readImport(name, deps, { call }) {
    return readCurrent(name, deps, call)
  },

  async sendImportBatch({ number, first_line, records, ...name }, deps, { call }) {
    const stored = await requireImport(name, deps, call)
    await receiveBatch(stored, { number, first_line, records }, deps, call)
    return readCurrent(name, deps, call)
  },

  async endImport({ state, ...name }, deps, { call, audit }) {
    const { import_id } = await requireImport(name, deps, call)
    await endStoredImport(deps.knex, import_id, state, deps.now())
    const ended = await readCurrent(name, deps, call)
    const { created, merged, replaced, skipped, rejected } = ended
    audit(null, { import_id, state: ended.state, created, merged, replaced, skipped, rejected })
    return ended
  },

  async listImportRejections({ limit, after_line, ...name }, deps, { call }) {
    const { import_id } = await requireImport(name, deps, call)
    const rejections = await listRejectedLines(deps.knex, { import_id, after_line, limit: limit + 1 })
    const listed = rejections.slice(0, limit).map(({ line, problems }) => ({ line, problems: [...problems] }))
    return { rejections: listed, more: rejections.length > limit }
  },
} satisfies AdminHandlers<keyof typeof userImportProcedures>
