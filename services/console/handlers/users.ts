import { type adminUserProcedures, because } from '#admin-api'
import { Fault, limits } from '#contracts'
import { AdminFault } from './admin-fault.ts'
import type { Runs } from './procedure.ts'
import { conflict, inWords, siteOf } from './site-of.ts'
import { previewMerge, readUser } from './user-detail.ts'

const unitSeconds = { s: 1, m: 60, h: 3_600, d: 86_400 } as const

/** The Unix time, in seconds, so long ago as a period says, e.g. `30d`; undefined without one. */
function since(period: string | undefined, now: Date): number | undefined {
  if (period === undefined) return undefined
  const [, count, unit] = /^(\d+)([smhd])$/.exec(period) ?? []
  // The contract lets nothing else through.
  const seconds = Number(count) * unitSeconds[unit as keyof typeof unitSeconds]
  return Math.floor(now.getTime() / 1_000) - Math.min(seconds, limits.period_maximum_seconds)
}

export const users = {
  async listUsers({ created_within, last_login_within, limit, page, after, mapped, ...name }, deps, { call }) {
    if (after !== undefined && page > 0)
      throw new AdminFault('invalid_request', { field: 'page', reason: because('page_beside_after') })
    const { site } = await siteOf(name, deps, call)
    const now = deps.now()
    const [createdSince, loggedInSince] = [since(created_within, now), since(last_login_within, now)]
    const place = after === undefined ? { page } : { after }
    const filter = {
      site,
      limit,
      mapped,
      created_since: createdSince,
      logged_in_since: loggedInSince,
      order: 'newest_first' as const,
    }
    const { identifiers, total } = await deps.identity.listUsers({ ...filter, ...place }, call)
    const { users } = await deps.identity.readUsers({ site, identifiers }, call)
    return { users, total }
  },

  async findUsers({ q, ...name }, deps, { call }) {
    const { site } = await siteOf(name, deps, call)
    return deps.identity.findUsers({ site, id: q }, call)
  },

  readUser,

  async deleteUserProfile({ identifier, prohibit, ...name }, deps, { audit, call }) {
    const { site } = await siteOf(name, deps, call)
    const { links } = await deps.identity.resolveUser({ site, identifier }, call)
    const linkIds = links.map(({ link_id }) => link_id)
    await deps.profile.deleteProfile({ site, identifier, link_ids: linkIds, prohibit }, call)
    audit({ identifier }, { identifier, prohibit })
    return {}
  },

  async deleteUser({ identifier, ...name }, deps, { audit, call }) {
    const { site } = await siteOf(name, deps, call)
    await deps.identity.deleteUser({ site, identifier }, call)
    audit({ identifier }, null)
    return {}
  },

  async unlinkProvider({ identifier, provider, force, ...name }, deps, { audit, call }) {
    const { site } = await siteOf(name, deps, call)
    const wish = { site, identifier, providers: [provider], nowarn: force, nomerge: false }
    await doneAtLeast(
      inWords(deps.identity.unlinkProviders(wish, call), {
        provider_not_linked: () => new AdminFault('not_found', { reason: because('not_linked') }),
        last_provider: conflict(because('last_provider')),
      }),
    )
    audit({ identifier, provider }, null)
    return {}
  },

  previewMerge,

  async mergeUsers({ identifier, source, ...name }, deps, { audit, call }) {
    const { site } = await siteOf(name, deps, call)
    const pair = { site, source, destination: identifier }
    const { conflict: refusal } = await deps.identity.previewMerge(pair, call)
    if (refusal === 'same_user')
      throw new AdminFault('invalid_request', { field: 'source', reason: because('same_user') })
    const shared = conflict(because('shared_provider'))
    if (refusal === 'shared_provider') throw shared()
    try {
      await deps.identity.mergeUsers({ ...pair, nomerge: false }, call)
    } catch (error) {
      if (!(error instanceof Fault && error.fault === 'operation_failed')) throw error
      // An account may have been linked since the preview; or all is merged but the profile, which follows.
      const left = await deps.identity.readUsers({ site, identifiers: [source] }, call)
      if (left.users.length > 0) throw shared()
    }
    audit({ source, destination: identifier }, { identifier })
    return {}
  },
} satisfies Runs<keyof typeof adminUserProcedures>

/** Of an unlinking `operation_failed` says that it is done, and the profile follows. */
async function doneAtLeast(unlinking: Promise<unknown>): Promise<void> {
  await unlinking.catch((error: unknown) => {
    if (!(error instanceof Fault && error.fault === 'operation_failed')) throw error
  })
}
