import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import {
  createReason,
  exportFile,
  type exportProcedures,
  isPersonalColumn,
  parseExportColumn,
  type UserExport,
} from '#admin-api'
import type { Call } from '#bus'
import { Fault, isBuiltIn } from '#contracts'
import { transaction } from '#database'
import { toTimestamp, toTimestampOrNull } from '#runtime'
import { AdminFault } from '../admin-fault.ts'
import { buildPath } from '../admin-paths.ts'
import type { Deps } from '../deps.ts'
import { toAuditedConditions } from '../domain/user-conditions.ts'
import { failAbandonedExports, insertExport, listExports as listStored, type StoredExport } from '../store/exports.ts'
import type { AdminHandler, AdminHandlers } from './admin-handler.ts'
import { requireMetadataPath } from './require-metadata-path.ts'
import { resolveSite } from './resolve-site.ts'

const listExports: AdminHandler<'listExports'> = async (name, deps, { call }) => {
  const { knex, now } = deps
  const { site } = await resolveSite(name, deps, call)
  await failAbandonedExports(knex)
  const exports = await listStored(knex, site)
  return { exports: exports.map((one) => toUserExport(one, name, now())) }
}

const requestExport: AdminHandler<'requestExport'> = async (
  { format, charset, columns = null, numbers_as_text, with_credentials, password, account, site_id, ...input },
  deps,
  { name, call, auditIn },
) => {
  const { knex, now, exporter } = deps
  const { with_profile: asksForProfile, ...filter } = input
  const siteName = { account, site_id }
  if (format === 'csv' && with_credentials)
    throw new AdminFault('invalid_request', { field: 'with_credentials', reason: createReason('ndjson_only') })
  if (format === 'ndjson' && charset !== 'UTF-8')
    throw new AdminFault('invalid_request', { field: 'charset', reason: createReason('csv_only') })
  if (format === 'ndjson' && columns !== null)
    throw new AdminFault('invalid_request', { field: 'columns', reason: createReason('csv_only') })
  if (asksForProfile && columns !== null)
    throw new AdminFault('invalid_request', { field: 'with_profile', reason: createReason('columns_instead') })
  const { site, name: siteTitle } = await resolveSite(siteName, deps, call)
  await requireMetadataPath(site, filter, deps, call)
  if (columns !== null) await requireProviders(site, columns, deps, call)
  await failAbandonedExports(knex)
  const withProfile = columns === null ? asksForProfile : columns.some(isPersonalColumn)
  const newExport = {
    export_id: randomUUID(),
    site,
    format,
    charset,
    columns,
    numbers_as_text,
    with_profile: withProfile,
    with_credentials,
    filter,
    requested_by: name,
    requested_at: now(),
  }
  const { export_id } = newExport
  const stored = await transaction(knex, async (trx) => {
    const inserted = await insertExport(trx, newExport)
    await auditIn(trx, null, {
      export_id,
      format,
      charset,
      ...(columns && { columns }),
      with_profile: withProfile,
      with_credentials,
      ...toAuditedConditions(filter),
    })
    return inserted
  }).catch((cause: unknown) => {
    if (!(cause instanceof Fault) || cause.fault !== 'already_exists') throw cause
    throw new AdminFault('conflict', { reason: createReason('export_in_progress'), cause })
  })
  exporter.enqueue(newExport, password, { ...siteName, name: siteTitle })
  return toUserExport(stored, siteName, now())
}

function toUserExport(
  { site: _, with_profile: __, with_credentials: ___, numbers_as_text: ____, filter, ...stored }: StoredExport,
  { account, site_id }: { account: string; site_id: string },
  now: Date,
): z.input<typeof UserExport> {
  const { requested_at, expires_at, ...shown } = stored
  const isExpired = stored.state === 'ready' && expires_at !== null && expires_at <= now
  const state = isExpired ? 'expired' : stored.state
  return {
    ...shown,
    ...filter,
    state,
    requested_at: toTimestamp(requested_at),
    expires_at: toTimestampOrNull(expires_at),
    file: state === 'ready' ? buildPath(exportFile, { account, site_id, export_id: stored.export_id }) : null,
  }
}

/** Columns of accounts are of providers that the site can have, so that a mistyped name is no empty column. */
async function requireProviders(
  site: number,
  columns: readonly string[],
  { provider_auth }: Pick<Deps, 'provider_auth'>,
  call: Call,
): Promise<void> {
  const accounts = columns.flatMap((name) => {
    const column = parseExportColumn(name)
    return column.kind === 'account' && !isBuiltIn(column.provider) ? [column.provider] : []
  })
  if (accounts.length === 0) return
  const { providers } = await provider_auth.listConfiguredProviders({ site }, call)
  const unknown = accounts.find((provider) => !providers.includes(provider))
  if (unknown === undefined) return
  const reason = createReason('no_provider_of_column', { column: `${unknown}_id` })
  throw new AdminFault('invalid_request', { field: 'columns', reason })
}

export const exportHandlers = { listExports, requestExport } satisfies AdminHandlers<keyof typeof exportProcedures>
