import { Readable } from 'node:stream'
import type Router from '@koa/router'
import { because, exportFile } from '#admin-api'
import { newCall } from '#bus'
import { callerAddress, createRouter, type RequestState } from '#http'
import type { Deps } from '../deps.ts'
import { AdminFault } from '../handlers/admin-fault.ts'
import { insertEntry } from '../store/audit-trail.ts'
import { findReadyExport, readParts } from '../store/exports.ts'
import { requireAccess } from './access.ts'
import { routeOf } from './admin-base.ts'
import { authenticate } from './authenticate.ts'
import type { CountFailure } from './failures.ts'

/** Sends the file of an export to the owners of the account while it is there; who fetched it is in the audit trail. */
export function exportRoutes(deps: Deps, countFailure: CountFailure): Router<RequestState> {
  const { knex, identity, now } = deps
  const router = createRouter()
  router.get(routeOf(exportFile), async (ctx) => {
    const caller = await authenticate(ctx, deps, countFailure)
    requireAccess(exportFile, ctx.params.account, caller)
    const name = exportFile.input.safeParse(ctx.params)
    if (!name.success) throw new AdminFault('not_found')
    const { account, site_id, export_id } = name.data
    const { request_id } = ctx.state
    ctx.state.siteName = `${account}/${site_id}`
    const { site } = await identity.readSite({ account, site_id }, newCall({ request_id }))
    const ready = await findReadyExport(knex, { site, export_id }, now())
    if (ready === undefined) {
      throw new AdminFault('not_found', { reason: because('no_export_file') })
    }
    await insertEntry(knex, {
      at: now(),
      act: 'fetchExport',
      account,
      site_id,
      actor: caller.name,
      member_id: caller.member_id ?? null,
      token_id: caller.token_id ?? null,
      address: callerAddress(ctx.req, deps.trusted_hops) ?? 'unknown',
      request_id,
      before: null,
      after: { export_id },
    })
    ctx.type = 'application/zip'
    ctx.set('Content-Disposition', `attachment; filename="users-${site_id}-${export_id}.zip"`)
    ctx.body = Readable.from(readParts(knex, export_id))
    if (ready.bytes !== null) ctx.length = ready.bytes
  })
  return router
}
