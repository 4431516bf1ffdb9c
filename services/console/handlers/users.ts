import { randomUUID } from 'node:crypto'
import { type adminUserProcedures, createReason } from '#admin-api'
import { Fault, limits } from '#contracts'
import { toTimestamp } from '#runtime'
import { AdminFault } from '../admin-fault.ts'
import { pickConditions } from '../domain/user-conditions.ts'
import { formatUserPosition, parseUserPosition } from '../domain/user-position.ts'
import type { AdminHandlers } from './admin-handler.ts'
import { requireMetadataPath } from './require-metadata-path.ts'
import { resolveSite, toConflict, translateFaults } from './resolve-site.ts'
import { previewMerge, readUser } from './user-detail.ts'

const unitSeconds = { s: 1, m: 60, h: 3_600, d: 86_400 } as const

/** Returns the Unix time in seconds at which a period such as `30d` starts; undefined without a period. */
function parsePeriodStart(period: string | undefined, now: Date): number | undefined {
  if (period === undefined) return undefined
  const [, count, unit] = /^(\d+)([smhd])$/.exec(period) ?? []
  // The contract allows only these units.
  const seconds = Number(count) * unitSeconds[unit as keyof typeof unitSeconds]
  return Math.floor(now.getTime() / 1_000) - Math.min(seconds, limits.period_maximum_seconds)
}

/** The later of two times; an absent one is earlier than any. */
function findLater(one: string | undefined, other: number | undefined): string | undefined {
  if (other === undefined || (one !== undefined && Date.parse(one) / 1_000 >= other)) return one
  return toTimestamp(new Date(other * 1_000))
}

export const userHandlers = {
  async listUsers({ created_within, last_login_within, limit, page, after, sort, order, ...input }, deps, { call }) {
    const { account, site_id } = input
    if (after !== undefined && page > 0)
      throw new AdminFault('invalid_request', { field: 'page', reason: createReason('page_with_after') })
    const { site } = await resolveSite({ account, site_id }, deps, call)
    await requireMetadataPath(site, input, deps, call)
    const now = deps.now()
    const picked = pickConditions(input)
    const conditions = {
      ...picked,
      created_since: findLater(picked.created_since, parsePeriodStart(created_within, now)),
      last_login_since: findLater(picked.last_login_since, parsePeriodStart(last_login_within, now)),
    }
    const position = after === undefined ? { page } : { after: parseUserPosition(after) }
    const list = { site, limit, conditions, sort, order, ...position }
    const { identifiers, to_be_deleted, total, next } = await deps.identity.listMatchingUsers(list, call)
    const { users } = await deps.identity.readUsers({ site, identifiers }, call)
    const usersToDelete = new Set(to_be_deleted)
    return {
      users: users.map((user) => ({ ...user, to_be_deleted: usersToDelete.has(user.identifier) })),
      total,
      next: next && formatUserPosition(next),
    }
  },

  readUser,

  async deleteUserProfile({ identifier, prohibit, ...name }, deps, { audit, call }) {
    const { site } = await resolveSite(name, deps, call)
    const { links } = await deps.identity.resolveUser({ site, identifier }, call)
    const linkIds = links.map(({ link_id }) => link_id)
    await deps.profile.deleteProfile({ site, identifier, link_ids: linkIds, prohibit, command: randomUUID() }, call)
    audit({ identifier }, { identifier, prohibit })
    return {}
  },

  async blockUser({ identifier, reason, until, ...name }, deps, { audit, call, name: by }) {
    const { site } = await resolveSite(name, deps, call)
    await deps.identity.blockUser({ site, identifier, reason, until, by, command: randomUUID() }, call)
    // The reason can have personal data of the user.
    audit(null, { identifier, until })
    return {}
  },

  async unblockUser({ identifier, ...name }, deps, { audit, call }) {
    const { site } = await resolveSite(name, deps, call)
    await deps.identity.unblockUser({ site, identifier, command: randomUUID() }, call)
    audit({ identifier }, null)
    return {}
  },

  async cancelUserDeletion({ identifier, ...name }, deps, { audit, call }) {
    const { site } = await resolveSite(name, deps, call)
    await deps.identity.cancelUserDeletion({ site, identifier, command: randomUUID() }, call)
    audit({ identifier }, null)
    return {}
  },

  async deleteUser({ identifier, ...name }, deps, { audit, call }) {
    const { site } = await resolveSite(name, deps, call)
    await deps.identity.deleteUser({ site, identifier, command: randomUUID(), requested_by: 'admin_api' }, call)
    audit({ identifier }, null)
    return {}
  },

  async unlinkProvider({ identifier, provider, force, ...name }, deps, { audit, call }) {
    const { site } = await resolveSite(name, deps, call)
    const unlinking = {
      site,
      identifier,
      providers: [provider],
      nowarn: force,
      nomerge: false,
      command: randomUUID(),
    }
    await acceptPendingProfile(
      translateFaults(deps.identity.unlinkProviders(unlinking, call), {
        provider_not_linked: () => new AdminFault('not_found', { reason: createReason('not_linked') }),
        last_provider: toConflict(createReason('last_provider')),
      }),
    )
    audit({ identifier, provider }, null)
    return {}
  },

  previewMerge,

  async mergeUsers({ identifier, source, ...name }, deps, { audit, call }) {
    const { site } = await resolveSite(name, deps, call)
    const pair = { site, source, destination: identifier }
    const { conflict } = await deps.identity.previewMerge(pair, call)
    if (conflict === 'same_user')
      throw new AdminFault('invalid_request', { field: 'source', reason: createReason('same_user') })
    const shared = toConflict(createReason('shared_provider'))
    if (conflict === 'shared_provider') throw shared()
    try {
      const users = { source: { identifier: source }, destination: { identifier } }
      await deps.identity.mergeUsers({ site, ...users, nomerge: false, command: randomUUID() }, call)
    } catch (error) {
      if (!(error instanceof Fault && error.fault === 'operation_failed')) throw error
      // Either an account was linked since the preview, or everything is merged except the profile, which follows later.
      const remaining = await deps.identity.readUsers({ site, identifiers: [source] }, call)
      if (remaining.users.length > 0) throw shared()
    }
    audit({ source, destination: identifier }, { identifier })
    return {}
  },
} satisfies AdminHandlers<keyof typeof adminUserProcedures>

/** For unlinking, `operation_failed` means that the provider is unlinked and the profile follows later. */
async function acceptPendingProfile(unlinking: Promise<unknown>): Promise<void> {
  await unlinking.catch((error: unknown) => {
    if (!(error instanceof Fault && error.fault === 'operation_failed')) throw error
  })
}
