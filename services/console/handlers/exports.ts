import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import { because, exportFile, type exportProcedures, type UserExport } from '#admin-api'
import { Fault } from '#contracts'
import { transaction } from '#database'
import { toTimestamp, toTimestampOrNull } from '#runtime'
import { addressOf } from '../http/admin-base.ts'
import { failAbandoned, insertExport, listExports as listStored, type StoredExport } from '../store/exports.ts'
import { AdminFault } from './admin-fault.ts'
import type { Run, Runs } from './procedure.ts'
import { siteOf } from './site-of.ts'

const listExports: Run<'listExports'> = async (name, deps, { call }) => {
  const { knex, now } = deps
  const { site } = await siteOf(name, deps, call)
  await failAbandoned(knex)
  const stored = await listStored(knex, site)
  return { exports: stored.map((one) => toShown(one, name, now())) }
}

const requestExport: Run<'requestExport'> = async (
  { charset, with_profile, password, ...siteName },
  deps,
  { name, call, auditIn },
) => {
  const { knex, now, exporter } = deps
  const { site } = await siteOf(siteName, deps, call)
  await failAbandoned(knex)
  const wanted = {
    ...{ export_id: randomUUID(), site, charset, with_profile },
    ...{ requested_by: name, requested_at: now() },
  }
  const { export_id } = wanted
  const stored = await transaction(knex, async (trx) => {
    const inserted = await insertExport(trx, wanted)
    await auditIn(trx, null, { export_id, charset, with_profile })
    return inserted
  }).catch((cause: unknown) => {
    if (!(cause instanceof Fault) || cause.fault !== 'already_exists') throw cause
    throw new AdminFault('conflict', { reason: because('export_under_way'), cause })
  })
  exporter.begin(wanted, password)
  return toShown(stored, siteName, now())
}

function toShown(
  { site: _, with_profile: __, requested_at, expires_at, ...stored }: StoredExport,
  { account, site_id }: { account: string; site_id: string },
  now: Date,
): z.input<typeof UserExport> {
  const isOver = stored.state === 'ready' && expires_at !== null && expires_at <= now
  const state = isOver ? 'expired' : stored.state
  return {
    ...stored,
    state,
    requested_at: toTimestamp(requested_at),
    expires_at: toTimestampOrNull(expires_at),
    file: state === 'ready' ? addressOf(exportFile, { account, site_id, export_id: stored.export_id }) : null,
  }
}

export const exportsOfUsers = { listExports, requestExport } satisfies Runs<keyof typeof exportProcedures>
