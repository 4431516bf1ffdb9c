import type { Link } from '#contracts'
import type { Deps } from '../deps.ts'
import { type AccountPlace, nameSubject } from '../hosts/account-address.ts'
import { errorPage, type Outcome } from '../login/request/outcome.ts'
import { takeAccountNotice } from '../login/session/account-notice.ts'
import { readLastProvider } from '../login/session/last-provider.ts'
import { extendSession } from '../login/session/session.ts'
import type { AccountView } from '../pages/account-view.ts'
import { type LoginChoice, listLoginChoices } from '../pages/buttons/login-choices.ts'
import { listActivity } from './activity.ts'
import { listNamedRecipients } from './recipients.ts'
import { listSessionsOfUser } from './sessions.ts'
import { type EndUser, type EndUserVisit, goTo, isFresh, toCsrfToken, type Visit, whileRedisWorks } from './visit.ts'

/** Shows the providers to log in with; an end user who is logged in needs an account that is linked. */
export async function showLogin(visit: Visit, to: AccountPlace, deps: Deps): Promise<Outcome> {
  const { owner, endUser, buildAddress, context } = visit
  const all = await listLoginChoices(owner.site, deps)
  const choices = endUser === undefined ? all : all.filter((choice) => isLinked(endUser.links, choice))
  if (choices.length === 0) return errorPage('no_provider')
  const options = choices.map(({ provider }) => {
    const address = new URL(buildAddress({ action: `log-in/${deps.names.path(provider)}` }))
    if (to.place !== 'overview') address.searchParams.set('to', to.place)
    if (to.subject != null) address.searchParams.set(nameSubject(to.place), to.subject)
    return { provider, address: address.href.replaceAll('%2F', '/') }
  })
  const lastProvider = endUser?.session.provider ?? readLastProvider(owner.site, context.cookie, deps)
  const view = { kind: endUser === undefined ? 'log_in' : 'fresh_login', options, last_provider: lastProvider } as const
  return show(visit, view, deps)
}

/** Shows linked accounts and sessions. */
export async function showOverview(visit: EndUserVisit, deps: Deps): Promise<Outcome> {
  const { endUser, buildAddress, owner, context } = visit
  const { session, links } = endUser
  await whileRedisWorks(() => extendSession(session, deps))
  const [sessions, recipients, activity, choices, { deletion }] = await Promise.all([
    listSessionsOfUser(endUser, deps),
    listNamedRecipients(linksOf(endUser), deps),
    listActivity(endUser, deps, context.call),
    listLoginChoices(owner.site, deps),
    deps.identity.readUserDeletion({ site: owner.site, identifier: session.identifier }, context.call),
  ])
  const view = {
    kind: 'overview',
    accounts: links.map(({ link_id, provider, created_at }) => ({
      provider,
      added_at: created_at,
      is_current: link_id === session.link_id,
      remove_address: links.length > 1 ? buildAddress({ place: 'remove', subject: provider }) : undefined,
    })),
    add_address: choices.some((choice) => !isLinked(links, choice)) ? buildAddress({ place: 'add' }) : undefined,
    sessions,
    end_address: buildAddress({ action: 'end-session' }),
    end_others_address: sessions.length > 1 ? buildAddress({ place: 'end_others' }) : undefined,
    applications: recipients.map((recipient) => ({
      ...recipient,
      remove_address:
        recipient.client_id === null || recipient.access_removed_at !== null
          ? undefined
          : buildAddress({ place: 'application', subject: recipient.client_id }),
    })),
    activity,
    download_address: buildAddress({ place: 'download' }),
    delete_at: deletion?.delete_at,
    delete_address: visit.deletion_waiting_days === null ? undefined : buildAddress({ place: 'delete' }),
    keep_address: buildAddress({ action: 'keep' }),
    log_out_address: buildAddress({ action: 'log-out' }),
    hidden: { csrf: toCsrfToken(endUser) },
  } as const
  return show(visit, view, deps)
}

/** Shows the providers whose accounts can be added. */
export async function showAdd(visit: EndUserVisit, deps: Deps): Promise<Outcome> {
  const { endUser, owner, buildAddress } = visit
  if (!isFresh(endUser)) return showLogin(visit, { place: 'add' }, deps)
  const choices = await listLoginChoices(owner.site, deps)
  const providers = choices.filter((choice) => !isLinked(endUser.links, choice)).map(({ provider }) => provider)
  const action = buildAddress({ place: 'add' })
  return show(visit, { kind: 'add', providers, action, hidden: { csrf: toCsrfToken(endUser) } }, deps)
}

/** Asks whether to remove the account that the address names. */
export async function showRemove(visit: EndUserVisit, deps: Deps): Promise<Outcome> {
  const { endUser, buildAddress, context } = visit
  const { links, session } = endUser
  const link = links.find(({ provider }) => provider === context.parameters.values.get('provider'))
  if (link === undefined) return goTo(buildAddress({ place: 'overview' }), undefined, deps)
  if (links.length === 1) return goTo(buildAddress({ place: 'overview' }), 'last_account', deps)
  if (!isFresh(endUser)) return showLogin(visit, { place: 'remove', subject: link.provider }, deps)
  const view = {
    kind: 'remove',
    provider: link.provider,
    is_current: link.link_id === session.link_id,
    action: buildAddress({ place: 'remove' }),
    hidden: { csrf: toCsrfToken(endUser), link_id: link.link_id },
  } as const
  return show(visit, view, deps)
}

/** Asks whether to remove the access of the application that the address names. */
export async function showApplication(visit: EndUserVisit, deps: Deps): Promise<Outcome> {
  const { endUser, buildAddress, context } = visit
  const recipients = await listNamedRecipients(linksOf(endUser), deps)
  const named = context.parameters.values.get('client_id')
  const application = recipients.find(({ client_id }) => client_id !== null && client_id === named)
  if (application?.client_id == null || application.access_removed_at !== null)
    return goTo(buildAddress({ place: 'overview' }), undefined, deps)
  const { client_id, name } = application
  if (!isFresh(endUser)) return showLogin(visit, { place: 'application', subject: client_id }, deps)
  const action = buildAddress({ place: 'application' })
  const hidden = { csrf: toCsrfToken(endUser), client_id }
  return show(visit, { kind: 'application', name, action, hidden }, deps)
}

/** Asks whether to delete the end user. */
export async function showDelete(visit: EndUserVisit, deps: Deps): Promise<Outcome> {
  const { endUser, buildAddress, deletion_waiting_days: days } = visit
  if (days === null) return goTo(buildAddress({ place: 'overview' }), undefined, deps)
  if (!isFresh(endUser)) return showLogin(visit, { place: 'delete' }, deps)
  const action = buildAddress({ place: 'delete' })
  const hidden = { csrf: toCsrfToken(endUser), days: String(days) }
  return show(visit, { kind: 'delete', days, action, hidden }, deps)
}

/** Asks before all other sessions are ended, or the data is sent. */
export function showQuestion(kind: 'end_others' | 'download') {
  return async (visit: EndUserVisit, deps: Deps): Promise<Outcome> => {
    const { endUser, buildAddress } = visit
    if (!isFresh(endUser)) return showLogin(visit, { place: kind }, deps)
    const action = buildAddress({ place: kind })
    return show(visit, { kind, action, hidden: { csrf: toCsrfToken(endUser) } }, deps)
  }
}

/** A page, with the notice of what happened before. */
function show(visit: Visit, page: AccountView['page'], deps: Deps): Outcome {
  const { notice, cookies } = takeAccountNotice(visit.context.cookie, deps)
  const { account, site_id } = visit.owner
  const view = { page, notice, site: { account, site_id }, home_address: visit.buildAddress({ place: 'overview' }) }
  return { kind: 'account', view, login: 'prompted', cookies }
}

function linksOf({ session: { site }, links }: EndUser) {
  return { site, link_ids: links.map(({ link_id }) => link_id) }
}

/** Whether the user has an account of the provider; `search` and `search_legacy` share their accounts. */
function isLinked(links: readonly Link[], { provider }: Pick<LoginChoice, 'provider'>): boolean {
  const names: readonly string[] = provider === 'search' ? ['search', 'search_legacy'] : [provider]
  return links.some((link) => names.includes(link.provider))
}
