import type { Call } from '#bus'
import { Fault, limits } from '#contracts'
import { equalSecrets, hashSecret } from '#runtime'
import type { Deps } from '../deps.ts'
import { type Association, bindAssociation, findAssociation, removeAssociation } from '../store/association-tokens.ts'
import type { SiteArrival } from './arrival.ts'
import { everything } from './authenticate.ts'
import { bindBrowser, isBound, unbindBrowser } from './browser.ts'
import { failed, LinkRefused } from './callback-request.ts'
import { type Outcome, page } from './outcome.ts'
import { sendToProvider } from './send-to-provider.ts'
import { type Visit, visit } from './visit.ts'

/**
 * Answers the opening of an `authenticate_uri`: asks the person whether to link. The first browser that opens it is the only
 * one that may go on, so that nobody can have another person's account linked to his own user.
 */
export async function showLinking(arrival: SiteArrival, deps: Deps): Promise<Outcome> {
  return visit(arrival, deps, async (here) => {
    const { settings, client, redirect_uri, request } = here
    const token = arrival.parameters.values.get('token') ?? ''
    const { association, browser, cookies } = await openAssociation(here, token, arrival, deps)
    const user = await describeUser(association, deps, arrival.call)
    const confirmation = {
      provider: deps.names.wire(settings.provider),
      application: client.name,
      site: `${settings.account}/${settings.site_id}`,
      user,
      callback: redirect_uri,
      hidden: {
        token,
        callback: redirect_uri,
        ...(request.state !== null && { state: request.state }),
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
    const { settings, request, answer } = here
    const token = values.get('token') ?? ''
    const association = await findAssociation(deps.knex, { ...settings, token })
    const { browser = null } = association ?? {}
    if (association === undefined || browser === null || !isBound(token, browser, arrival.cookie, deps))
      throw new LinkRefused('token_invalid')
    if (!['', 'same-origin'].includes(arrival.sent_from) || !equalSecrets(values.get('csrf') ?? '', formToken(browser)))
      return page('form_invalid', { settings })

    if (values.get('decision') === 'link') {
      const { identifier, token_hash } = association
      const asked_for = { ...request, association: { identifier, token_hash } }
      return sendToProvider(here, { request: asked_for, asked: everything, cookie: arrival.cookie }, deps)
    }
    await removeAssociation(deps.knex, association)
    return answer(failed('access_denied'), { login: 'denied', cookies: [unbindBrowser(token, deps)] })
  })
}

/** A token that lives, in the browser that opened it, which may be this one now. */
async function openAssociation(
  { settings }: Visit,
  token: string,
  { cookie }: SiteArrival,
  deps: Deps,
): Promise<{ association: Association; browser: string; cookies: readonly string[] }> {
  const association = await findAssociation(deps.knex, { ...settings, token })
  if (association === undefined) throw new LinkRefused('token_invalid')
  const { browser } = association
  if (browser !== null && isBound(token, browser, cookie, deps)) return { association, browser, cookies: [] }
  const binding = bindBrowser(token, cookie, deps, limits.association_token_seconds)
  if (!(await bindAssociation(deps.knex, association, binding.browser))) throw new LinkRefused('token_invalid')
  return { association, ...binding }
}

/** The user in words that his owner knows him by. */
async function describeUser({ provider, ...user }: Association, { identity, profile, logger }: Deps, call: Call) {
  const { site, identifier } = user
  const [resolved, name] = await Promise.all([
    identity.resolveUser({ site, identifier }, call).catch(refuseGoneUser),
    profile.readProfile({ site, identifier }, call).then(
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
