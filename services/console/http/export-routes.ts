import { Readable } from 'node:stream'
import type Router from '@koa/router'
import { createReason, exportFile } from '#admin-api'
import { newCall } from '#bus'
import { callerAddress, createRouter, type RequestState, rejectPrefetch } from '#http'
import { AdminFault } from '../admin-fault.ts'
import { toRoutePath } from '../admin-paths.ts'
import type { Deps } from '../deps.ts'
import { insertEntry } from '../store/audit-trail.ts'
import { findReadyExport, readParts } from '../store/exports.ts'
import { requireAccess } from './access.ts'
import { authenticate } from './authenticate.ts'
import type { CountFailure } from './failures.ts'

/** Creates the route that sends the file of an export to owners of the account. Each download is in the audit trail. */
export function createExportRoutes(deps: Deps, countFailure: CountFailure): Router<RequestState> {
  const { knex, identity, now } = deps
  const router = createRouter()
  router.use(rejectPrefetch)
  router.get(toRoutePath(exportFile), async (ctx) => {
    const actor = await authenticate(ctx, deps, countFailure)
    requireAccess(exportFile, ctx.params, actor)
    const name = exportFile.input.safeParse(ctx.params)
    if (!name.success) throw new AdminFault('not_found')
    const { account, site_id, export_id } = name.data
    const { request_id } = ctx.state
    ctx.state.siteName = `${account}/${site_id}`
    const { site } = await identity.readSite({ account, site_id }, newCall({ request_id }))
    const ready = await findReadyExport(knex, { site, export_id }, now())
    if (ready === undefined) {
      throw new AdminFault('not_found', { reason: createReason('export_file_not_found') })
    }
    await insertEntry(knex, {
      at: now(),
      action: 'fetchExport',
      account,
      site_id,
      actor: actor.name,
      member_id: actor.member_id ?? null,
      token_id: actor.token_id ?? null,
      address: callerAddress(ctx.req, deps.trustedHops) ?? 'unknown',
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
