import { type Call, newCall, remainingMs } from '#bus'
import { Fault } from '#contracts'
import { equalSecrets, hashSecret } from '#runtime'
import type { Deps } from '../../deps.ts'
import { SiteLoginError, toFailedParameters } from '../../domain/callback-request.ts'
import { isSameOrigin } from '../../http/browser-endpoint.ts'
import {
  type Association,
  bindAssociation,
  deleteAssociation,
  findAssociation,
} from '../../store/association-tokens.ts'
import { redirectToProvider } from '../pending/redirect-to-provider.ts'
import { describeStart } from '../request/login-start.ts'
import { errorPage, type Outcome } from '../request/outcome.ts'
import type { SiteRequestContext } from '../request/request-context.ts'
import { bindBrowser, findBrowser, unbindBrowser } from './browser-binding.ts'
import { handleSiteRequest, redirectToCallback, type SiteLogin } from './handle-site-request.ts'

/**
 * Handles the opening of an `authenticate_uri`: asks the end user to confirm the link. It has no effect, because scanners of
 * mail and previews in chats also open links (RFC 9110 9.2.1).
 */
export async function showLinkConfirmation(context: SiteRequestContext, deps: Deps): Promise<Outcome> {
  return handleSiteRequest(context, deps, async (siteLogin) => {
    const { settings, client, request } = siteLogin
    const token = context.parameters.values.get('token') ?? ''
    const association = await findAssociation(deps.knex, { ...settings, token })
    const { browser, cookies } = bindBrowser(token, context.cookie, deps)
    if (association === undefined || !isAvailableTo(browser, association)) throw new SiteLoginError('token_invalid')
    const user = await describeUser(association, deps, context.call)
    const confirmation = {
      provider: settings.provider,
      application: client.name,
      user,
      callback: request.redirect_uri,
      hidden: {
        token,
        callback: request.redirect_uri,
        ...(request.failure_uri !== null && { callback_if_failed: request.failure_uri }),
        ...(request.state !== null && { state: request.state }),
        ...(request.extended_items.length > 0 && { extended_items: request.extended_items.join(',') }),
        ...(context.language !== undefined && { ui_locales: context.language }),
        csrf: toCsrfToken(browser),
      },
    }
    return { kind: 'confirmation', confirmation, login: 'prompted', settings, cookies }
  })
}

/**
 * Handles the end user's decision: redirects to the provider, or back to the callback. Only the first browser that confirms
 * may continue, so that an attacker cannot link another person's account to the attacker's user.
 *
 * @param context with the `Sec-Fetch-Site` header, empty for browsers that do not send it
 */
export async function handleLinkDecision(
  context: SiteRequestContext & { readonly secFetchSite: string },
  deps: Deps,
): Promise<Outcome> {
  const { values } = context.parameters
  return handleSiteRequest(context, deps, async (siteLogin) => {
    const { settings, request } = siteLogin
    const token = values.get('token') ?? ''
    const association = await findAssociation(deps.knex, { ...settings, token })
    const browser = findBrowser(token, context.cookie, deps)
    // A browser that has not seen the page cannot confirm.
    if (association === undefined || browser === undefined || !isAvailableTo(browser, association))
      throw new SiteLoginError('token_invalid')
    const isTokenValid = equalSecrets(values.get('csrf') ?? '', toCsrfToken(browser))
    if (!isTokenValid || !isSameOrigin(context.secFetchSite)) return errorPage('form_invalid', { settings })

    if (values.get('decision') === 'link') {
      if (!(await bindAssociation(deps.knex, association, browser))) throw new SiteLoginError('token_invalid')
      const { identifier, token_hash } = association
      const linkRequest = { ...request, existing_users_only: false, association: { identifier, token_hash } }
      return redirectToProvider(
        siteLogin,
        { ...context, request: linkRequest, providerRequest: { passedParameters: {} } },
        deps,
      )
    }
    await deleteAssociation(deps.knex, association)
    recordDeniedLink(siteLogin, association, context, deps)
    return redirectToCallback(siteLogin, toFailedParameters('access_denied'), {
      login: 'user_denied',
      cookies: [unbindBrowser(token, deps)],
    })
  })
}

/** Adds the link that the end user denied to the log; it has no login at the provider. */
function recordDeniedLink(
  { settings, request }: SiteLogin,
  { identifier, token_hash }: Association,
  { browser, country, address, call }: SiteRequestContext,
  { loginLog }: Pick<Deps, 'loginLog'>,
): void {
  const { site, provider } = settings
  const { request_id } = call
  const at = Date.now()
  const start = describeStart(
    { ...request, existing_users_only: false, association: { identifier, token_hash } },
    provider,
    at,
  )
  const end = {
    at,
    result: 'denied',
    reason: 'denied_by_user',
    error: 'access_denied',
    identifier,
    request_id,
  } as const
  loginLog.add({ site, login_id: request_id, start: { ...start, browser, country, request_id }, end }, address)
}

/** Whether the end user of no other browser has confirmed the link. */
function isAvailableTo(browser: string, association: Association): boolean {
  return association.browser === null || equalSecrets(association.browser, browser)
}

/** How long the page waits for the user's name, which is optional. Our choice. */
const profileTimeoutMs = 1_000

/** Describes the user as the end user knows it: by name and ID. */
async function describeUser({ provider, ...user }: Association, { identity, profile, logger }: Deps, call: Call) {
  const { site, identifier } = user
  const profileCall = newCall({ request_id: call.request_id, withinMs: Math.min(remainingMs(call), profileTimeoutMs) })
  const [resolved, name] = await Promise.all([
    identity.resolveUser({ site, identifier }, call).catch(throwUserDeleted),
    profile.readProfile({ site, identifier }, profileCall).then(
      ({ profile: { full_name, user_name } }) => full_name ?? user_name ?? null,
      (error: unknown) => {
        logger.warn(
          { error, request_id: call.request_id },
          'the link confirmation page is shown without the name of the user',
        )
        return null
      },
    ),
  ])
  if (resolved.links.some((link) => link.provider === provider)) throw new SiteLoginError('already_linked')
  return { name, id: resolved.user.primary_key ?? identifier }
}

function throwUserDeleted(error: unknown): never {
  throw error instanceof Fault && error.fault === 'entity_not_found'
    ? new SiteLoginError('token_invalid', { cause: error })
    : error
}

/** The CSRF token of the form (OWASP ASVS 3.5.1). It is derived from a value that only this browser has. */
function toCsrfToken(browser: string): string {
  return hashSecret(`form of ${browser}`)
}
