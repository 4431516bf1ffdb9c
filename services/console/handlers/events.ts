import { type adminEventProcedures, createReason } from '#admin-api'
import type { AdminHandlers } from './admin-handler.ts'
import { resolveSite, toConflict, translateFaults } from './resolve-site.ts'

export const eventHandlers = {
  async listEvents({ account, site_id, after, type, limit }, deps, { call }) {
    const { site } = await resolveSite({ account, site_id }, deps, call)
    const filter = { ...(after !== undefined && { after }), ...(type && { types: [type] }) }
    return translateFaults(deps.events.listEventObjects({ site, account, site_id, limit, ...filter }, call), {
      events_deleted: toConflict(createReason('events_deleted')),
    })
  },
} satisfies AdminHandlers<keyof typeof adminEventProcedures>
