import { type UserDataKind, userDataKindNames, userDataKinds } from '#contracts'
import { toTimestamp } from '#runtime'
import { maxRecords, readersOfKinds } from '../held-data/sections.ts'
import type { AdminHandler } from './admin-handler.ts'
import { isUnavailable } from './is-unavailable.ts'
import { resolveSite } from './resolve-site.ts'

/** Reads everything that is stored about a user. If a service is unavailable, its kinds are listed in `unavailable`. */
export const readHeldData: AdminHandler<'readHeldData'> = async (
  { identifier, ...name },
  deps,
  { call, request_id },
) => {
  const { site, account, site_id } = await resolveSite(name, deps, call)
  const resolved = await deps.identity.resolveUser({ site, identifier }, call)
  const held = { site, account, site_id, ...resolved }
  const unavailable: UserDataKind[] = []
  const readSection = async (kind: UserDataKind) => {
    const { service, holds, kept } = userDataKinds[kind]
    try {
      const records = await readersOfKinds[kind](held, deps, call)
      const shown = records.slice(0, maxRecords)
      const more = records.length >= maxRecords
      return [{ kind, service, holds, kept, since: findOldest(shown), records: [...shown], more }]
    } catch (error) {
      if (!isUnavailable(error)) throw error
      deps.logger.warn({ error, kind, request_id }, 'data of a user is unavailable')
      unavailable.push(kind)
      return []
    }
  }
  const sections = (await Promise.all(userDataKindNames.map(readSection))).flat()
  return {
    account,
    site_id,
    identifier: resolved.user.identifier,
    read_at: toTimestamp(deps.now()),
    sections,
    unavailable: userDataKindNames.filter((kind) => unavailable.includes(kind)),
  }
}

/** Fields that say since when a record is stored, the most exact first. */
const timeFields = [
  'created_at',
  'requested_at',
  'logged_in_at',
  'answered_at',
  'obtained_at',
  'started_at',
  'at',
  'timestamp',
  'event_time',
  'friendship_status_updated_at',
  'updated_at',
]

function findOldest(records: readonly Readonly<Record<string, unknown>>[]): string | null {
  const times = records.flatMap((record) => {
    const time = timeFields.map((field) => record[field]).find((value) => typeof value === 'string')
    return typeof time === 'string' ? [Date.parse(time)] : []
  })
  return times.length === 0 ? null : toTimestamp(new Date(Math.min(...times)))
}
