import type { adminErasureProcedures } from '#admin-api'
import type { AdminHandlers } from './admin-handler.ts'
import { resolveSite } from './resolve-site.ts'

export const erasureHandlers = {
  async listErasures({ limit, after, ...name }, deps, { call }) {
    const { site } = await resolveSite(name, deps, call)
    const position = after === undefined ? {} : { after: parsePosition(after) }
    const { erasures, next } = await deps.identity.listErasures({ site, limit, ...position }, call)
    return { erasures, next: next && `${Date.parse(next.deleted_at)}.${next.identifier}` }
  },

  async readErasureReceipt({ identifier, ...name }, deps, { call }) {
    const { site } = await resolveSite(name, deps, call)
    return deps.identity.readErasure({ site, identifier }, call)
  },
} satisfies AdminHandlers<keyof typeof adminErasureProcedures>

/** Returns the place in the list of `next`: the time of the deletion in ms, and the identifier. */
function parsePosition(next: string) {
  const [time = '', ...identifier] = next.split('.')
  return { deleted_at: new Date(Number(time)).toISOString(), identifier: identifier.join('.') }
}
