import { type User, type UserDataKind, userDataKindNames, userDataKinds } from '#contracts'
import { storeEvents, transaction } from '#database'
import { toTimestamp } from '#runtime'
import type { Deps } from '../deps.ts'
import type { Outcome } from '../login/request/outcome.ts'
import { findCredentials } from '../store/credentials.ts'
import { enqueueAction } from './enqueue-action.ts'
import { listNamedRecipients } from './recipients.ts'
import { listSessionsOfUser } from './sessions.ts'
import { type EndUserVisit, goTo, isFresh, isOwnForm, type RequestPlace } from './visit.ts'

/** Maximum logins in the file, the newest first. Our choice: as many as one request can read. */
const maxLogins = 1_000

/** Sends the end user everything that is stored about the user, as a file of JSON, by the form of our page. */
export async function downloadData(visit: EndUserVisit, place: RequestPlace, deps: Deps): Promise<Outcome> {
  const { endUser, context, buildAddress } = visit
  const page = buildAddress({ place: 'download' })
  if (!isOwnForm(endUser, context, place)) return goTo(page, 'form_expired', deps)
  if (!isFresh(endUser)) return goTo(page, undefined, deps)
  const data = await readAccountData(visit, deps)
  const { site, identifier } = endUser.session
  const time = new Date()
  await transaction(deps.knex, async (trx) => {
    await enqueueAction(trx, visit, { action: 'downloadOwnData', details: {}, time }, deps)
    await storeEvents(trx, [{ type: 'user.data_downloaded', site, user: { identifier }, data: {}, time }])
  })
  return { kind: 'file', name: 'account-data.json', text: `${JSON.stringify(data, undefined, 2)}\n`, login: 'prompted' }
}

/** What all services store about a user. Of tokens, only whether they are stored. */
async function readAccountData({ endUser, owner, context: { call } }: EndUserVisit, deps: Deps) {
  const { site, account, site_id } = owner
  const { identifier } = endUser.session
  const user = { site, identifier }
  const linkIds = endUser.links.map(({ link_id }) => link_id)
  const ofLinks = { site, link_ids: linkIds }
  const [
    { logins },
    { user_metadata, app_metadata },
    { consents },
    { deletion },
    { profiles },
    { statuses },
    credentials,
    sessions,
    applications,
  ] = await Promise.all([
    deps.identity.listLogins({ ...user, limit: maxLogins }, call),
    deps.identity.readMetadata(user, call),
    deps.identity.readConsents(user, call),
    deps.identity.readUserDeletion(user, call),
    deps.profile.readStoredProfiles({ site, identifiers: [identifier] }, call),
    deps.friendship.readStatuses(ofLinks, call),
    findCredentials(deps.reader, ofLinks),
    listSessionsOfUser(endUser, deps),
    listNamedRecipients(ofLinks, deps),
  ])
  const stored = profiles[identifier]
  const withTokens = new Set(credentials.map(({ link_id }) => link_id))
  return {
    site: `${account}/${site_id}`,
    created_at: toTimestamp(new Date()),
    about: userDataKindNames.map(describeKind),
    user: describeUser(endUser.user),
    linked_accounts: endUser.links.map(({ link_id, provider, provider_user_id, created_at }) => ({
      provider,
      provider_user_id,
      added_at: created_at,
      data: stored?.data[link_id] ?? null,
      friendship_status: statuses[link_id] ?? null,
      has_tokens: withTokens.has(link_id),
    })),
    profile: stored?.profile ?? null,
    profile_prohibited: stored?.profile_prohibited ?? false,
    user_metadata,
    app_metadata,
    consents,
    deletion,
    logins,
    applications,
    sessions: sessions.map(({ browser, provider, started_at_ms, last_used_at_ms }) => ({
      browser,
      provider,
      started_at: toTimestamp(new Date(started_at_ms)),
      last_used_at: toTimestamp(new Date(last_used_at_ms)),
    })),
  }
}

/** What is stored but not in the file: what shows how the service works, and data of administrators. */
const omittedKinds = new Set<UserDataKind>(['login_log', 'events', 'webhook_deliveries', 'audit'])

/** What a kind of data is, and how long it is kept. */
function describeKind(kind: UserDataKind) {
  const { holds, kept } = userDataKinds[kind]
  return { kind, holds, kept, in_file: !omittedKinds.has(kind) }
}

/** A block is left out, because its author and reason are for administrators; blocked users do not have the page. */
function describeUser({ block: _, sessions_ended_at, ...user }: User) {
  return { ...user, ...(sessions_ended_at !== undefined && { sessions_ended_at }) }
}
