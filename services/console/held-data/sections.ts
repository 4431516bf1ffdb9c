import type { Call } from '#bus'
import { isLoginEnded, type Link, type User, type UserDataKind } from '#contracts'
import { toTimestamp, toTimestampOrNull } from '#runtime'
import { toAuditEntry } from '../audit/to-audit-entry.ts'
import type { Deps } from '../deps.ts'
import { listEntries } from '../store/audit-trail.ts'
import { listLogEntries } from '../store/login-log.ts'
import { readUserEvents } from './events.ts'

/** Records of one kind that a response has at most. Our choice: as many as the account page's download. */
export const maxRecords = 1_000

type Records = readonly Readonly<Record<string, unknown>>[]

/** The user, as identity knows it. */
export interface HeldUser {
  readonly site: number
  readonly account: string
  readonly site_id: string
  readonly user: User
  readonly links: readonly Link[]
}

type ReadRecords = (held: HeldUser, deps: Deps, call: Call) => Promise<Records> | Records

/** Reads what is stored of each kind, or the first `maxRecords` of it. */
export const readersOfKinds: Readonly<Record<UserDataKind, ReadRecords>> = {
  user: ({ user: { block, sessions_ended_at, ...user } }) => [
    { ...user, ...(block && { block }), ...(sessions_ended_at && { sessions_ended_at }) },
  ],

  linked_accounts: ({ links }) => links.map(({ link_id: _, ...link }) => link),

  async metadata(held, { identity }, call) {
    const { user_metadata, app_metadata, revision } = await identity.readMetadata(keyOf(held), call)
    return revision === 0 ? [] : [{ user_metadata, app_metadata, revision }]
  },

  consents: async (held, { identity }, call) => (await identity.readConsents(keyOf(held), call)).consents,

  async deletion(held, { identity }, call) {
    const { deletion } = await identity.readUserDeletion(keyOf(held), call)
    return deletion === null ? [] : [deletion]
  },

  logins: async (held, { identity }, call) =>
    (await identity.listLogins({ ...keyOf(held), limit: maxRecords }, call)).logins,

  async profile(held, { profile }, call) {
    const combined = await profile.readProfile(keyOf(held), call)
    const isEmpty = combined.profile.last_updated_at === null && !combined.profile_prohibited
    return isEmpty ? [] : [combined]
  },

  async provider_data(held, { profile }, call) {
    const { site, links, user } = held
    const { profiles } = await profile.readStoredProfiles({ site, identifiers: [user.identifier] }, call)
    const stored = profiles[user.identifier]
    return links.flatMap(({ link_id, provider }) => {
      const data = stored?.data[link_id]
      return data === undefined ? [] : [{ provider, ...data }]
    })
  },

  async friendship(held, { friendship }, call) {
    const { statuses } = await friendship.readStatuses(linksOf(held), call)
    return held.links.flatMap(({ link_id, provider }) => {
      const status = statuses[link_id]
      return status === undefined ? [] : [{ provider, ...status }]
    })
  },

  async credentials(held, { provider_auth }, call) {
    const { credentials } = await provider_auth.readCredentialFreshness(linksOf(held), call)
    return held.links.flatMap(({ link_id, provider }) => {
      const credential = credentials[link_id]
      return credential === undefined ? [] : [{ provider, ...credential }]
    })
  },

  async recipients(held, { provider_auth }, call) {
    return (await provider_auth.readDataRecipients(linksOf(held), call)).recipients
  },

  async sessions(held, { provider_auth }, call) {
    const { sessions } = await provider_auth.readUserSessions(keyOf(held), call)
    const isOpen = ({ link_id, recorded_at }: (typeof sessions)[number]) =>
      held.links.some((link) => link.link_id === link_id) && !isLoginEnded(held.user, recorded_at)
    return sessions.filter(isOpen).map(({ browser = 'other', provider, started_at, last_used_at }) => ({
      browser,
      provider,
      started_at,
      last_used_at,
    }))
  },

  async login_log(held, { knex, now }) {
    const page = { after: undefined, limit: maxRecords + 1 }
    const entries = await listLogEntries(knex, keyOf(held), page, now())
    return entries.map(({ at, kind, provider, client_id, result, reason, browser, country, ended_at }) => ({
      at: toTimestamp(at),
      kind,
      provider,
      client_id,
      result,
      reason,
      browser,
      country,
      ended_at: toTimestampOrNull(ended_at),
    }))
  },

  events: (held, { events }, call) => readUserEvents({ ...keyOf(held), limit: maxRecords + 1 }, held, events, call),

  async webhook_deliveries(held, { events }, call) {
    return (await events.listDeliveriesOfUser({ ...keyOf(held), limit: maxRecords }, call)).deliveries
  },

  async audit({ account, site_id, user: { identifier } }, { knex }) {
    const entries = await listEntries(knex, { account, site_id, identifier }, maxRecords + 1)
    return entries.map(toAuditEntry).map(({ at, action, actor_kind, actor, outcome, before, after }) => ({
      at,
      action,
      actor_kind,
      actor,
      outcome,
      before,
      after,
    }))
  },
}

function keyOf({ site, user: { identifier } }: HeldUser) {
  return { site, identifier }
}

function linksOf({ site, links }: HeldUser) {
  return { site, link_ids: links.map(({ link_id }) => link_id) }
}
