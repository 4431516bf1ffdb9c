import { type Call, newCall, remainingMs } from '#bus'
import { Fault } from '#contracts'
import { equalSecrets, hashSecret } from '#runtime'
import type { Deps } from '../deps.ts'
import { failed, LinkRefused } from '../domain/callback-request.ts'
import { isSameOrigin } from '../http/browser-endpoint.ts'
import type { SiteArrival } from '../login/arrival.ts'
import { type Outcome, page } from '../login/outcome.ts'
import { sendToProvider } from '../login/send-to-provider.ts'
import { type Association, bindAssociation, deleteAssociation, findAssociation } from '../store/association-tokens.ts'
import { bindBrowser, isBound, unbindBrowser } from './browser.ts'
import { returnToSite, visit } from './visit.ts'

/**
 * Answers the opening of an `authenticate_uri`: asks the person whether to link. The first browser that opens it is the only
 * one that may go on, so that nobody can have another person's account linked to his own user.
 */
export async function showLinking(arrival: SiteArrival, deps: Deps): Promise<Outcome> {
  return visit(arrival, deps, async (here) => {
    const { settings, client, redirect_uri, request } = here
    const token = arrival.parameters.values.get('token') ?? ''
    const association = await findAssociation(deps.knex, { ...settings, token })
    if (association === undefined || isElsewhere(association, token, arrival, deps))
      throw new LinkRefused('token_invalid')
    const user = await describeUser(association, deps, arrival.call)
    const { browser, cookies } = await bindHere(association, token, arrival, deps)
    const confirmation = {
      provider: settings.provider,
      application: client.name,
      user,
      callback: redirect_uri,
      hidden: {
        token,
        callback: redirect_uri,
        ...(request.state !== null && { state: request.state }),
        ...(arrival.language !== undefined && { ui_locales: arrival.language }),
        csrf: formToken(browser),
      },
    }
    return { kind: 'confirmation', confirmation, login: 'asked', settings, cookies }
  })
}

/**
 * Answers the person's decision: the way to the provider, or back to the callback.
 *
 * @param arrival with the `Sec-Fetch-Site` field, empty from a browser that sends none
 */
export async function confirmLinking(
  arrival: SiteArrival & { readonly sent_from: string },
  deps: Deps,
): Promise<Outcome> {
  const { values } = arrival.parameters
  return visit(arrival, deps, async (here) => {
    const { settings, request } = here
    const token = values.get('token') ?? ''
    const association = await findAssociation(deps.knex, { ...settings, token })
    // Who was not shown the page has nothing to confirm.
    if (!association?.browser || isElsewhere(association, token, arrival, deps)) throw new LinkRefused('token_invalid')
    const proved = equalSecrets(values.get('csrf') ?? '', formToken(association.browser))
    if (!proved || !isSameOrigin(arrival.sent_from)) return page('form_invalid', { settings })

    if (values.get('decision') === 'link') {
      const { identifier, token_hash } = association
      const askedFor = { ...request, association: { identifier, token_hash } }
      return sendToProvider(here, { ...arrival, request: askedFor, asked: { passed: {} } }, deps)
    }
    await deleteAssociation(deps.knex, association)
    return returnToSite(here, failed('access_denied'), { login: 'user_denied', cookies: [unbindBrowser(token, deps)] })
  })
}

/** Whether another browser opened it. */
function isElsewhere({ browser }: Association, token: string, { cookie }: SiteArrival, deps: Deps): boolean {
  return browser !== null && !isBound(token, browser, cookie, deps)
}

/** Makes this browser the one that opened it, unless it is that already; last of all, so that nothing fails afterwards. */
async function bindHere(
  association: Association,
  token: string,
  { cookie }: SiteArrival,
  deps: Deps,
): Promise<{ browser: string; cookies: readonly string[] }> {
  if (association.browser !== null) return { browser: association.browser, cookies: [] }
  const binding = bindBrowser(token, cookie, deps)
  if (!(await bindAssociation(deps.knex, association, binding.browser))) throw new LinkRefused('token_invalid')
  return binding
}

/** How long the page waits for the name of the user, which it can do without. Our choice. */
const nameWaitMs = 1_000

/** The user in words that his owner knows him by. */
async function describeUser({ provider, ...user }: Association, { identity, profile, logger }: Deps, call: Call) {
  const { site, identifier } = user
  const brief = newCall({ request_id: call.request_id, withinMs: Math.min(remainingMs(call), nameWaitMs) })
  const [resolved, name] = await Promise.all([
    identity.resolveUser({ site, identifier }, call).catch(refuseGoneUser),
    profile.readProfile({ site, identifier }, brief).then(
      ({ profile: { full_name, user_name } }) => full_name ?? user_name ?? null,
      (error: unknown) => {
        logger.warn({ error, request_id: call.request_id }, 'a linking is confirmed without the name of the user')
        return null
      },
    ),
  ])
  if (resolved.links.some((link) => link.provider === provider)) throw new LinkRefused('already_linked')
  return { name, id: resolved.user.primary_key ?? identifier }
}

function refuseGoneUser(error: unknown): never {
  throw error instanceof Fault && error.fault === 'entity_not_found'
    ? new LinkRefused('token_invalid', { cause: error })
    : error
}

/** What proves that a form came from our page in this browser (OWASP ASVS 3.5.1): nobody else knows what it is made of. */
function formToken(browser: string): string {
  return hashSecret(`form of ${browser}`)
}
