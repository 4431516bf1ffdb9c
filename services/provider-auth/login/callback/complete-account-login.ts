import type { Call } from '#bus'
import { Fault, isLoginEnded, limits } from '#contracts'
import type { Deps } from '../../deps.ts'
import type { AccountRequest } from '../../domain/account-request.ts'
import { resolveAuthTime } from '../../domain/auth-time.ts'
import { SiteLoginError } from '../../domain/callback-request.ts'
import { toClaims } from '../../domain/claims.ts'
import { createLoginRequiredError } from '../../domain/interaction-required.ts'
import type { ProviderLogin } from '../../domain/provider-client.ts'
import type { SiteProviderSettings } from '../../domain/provider-settings.ts'
import { countRecordedLogin } from '../../usage/count-login.ts'
import type { RequestContext } from '../request/request-context.ts'
import { setAccountNotice } from '../session/account-notice.ts'
import { rememberProvider } from '../session/last-provider.ts'
import { readSession, renewSession } from '../session/session.ts'
import type { LoggedInUser } from './complete-login.ts'
import { requireHintedUser, satisfiesMaxAge } from './hinted-user.ts'
import { throwLinkError } from './link-errors.ts'
import { persistLogin, storeNothing } from './persist-login.ts'
import { type IdentityLogin, recordSuppliedLogin } from './record-supplied-login.ts'
import { toSuppliedLogin } from './supplied-login.ts'

/** A login of the account page that the provider verified. */
interface VerifiedAccountLogin {
  /** The login's ID: recording it twice counts once. */
  readonly login: string
  readonly request: AccountRequest
  readonly settings: SiteProviderSettings
  readonly providerLogin: ProviderLogin
}

/** The user, and `Set-Cookie` fields for the browser. */
interface CompletedAccountLogin {
  readonly user: LoggedInUser
  readonly cookies: readonly string[]
}

/**
 * Records the login of a user who exists, and starts or continues the browser's session with the site. Neither its tokens nor
 * data are stored: those of applications' logins, which ask for more, stay.
 *
 * @throws InteractionRequired if another user than the expected one logged in, or the authentication is too old
 * @throws SiteLoginError if the account has no user
 * @throws Fault of identity
 */
export async function completeAccountLogin(
  { login, request, settings, providerLogin }: VerifiedAccountLogin,
  { cookie, browser }: Pick<RequestContext, 'cookie' | 'browser'>,
  deps: Deps,
  call: Call,
): Promise<CompletedAccountLogin> {
  const { site, provider } = settings
  const { provider_user_id, auth_time } = providerLogin
  const isFresh = request.hinted_identifier !== null
  if (!satisfiesMaxAge(auth_time, isFresh ? limits.fresh_login_seconds : null))
    throw createLoginRequiredError('authentication_too_old')
  const hinted = { request, settings, providerLogin }
  const [session] = await Promise.all([readSession(site, cookie, deps), requireHintedUser(hinted, deps, call)])
  const supplied = {
    ...toSuppliedLogin({ login, settings, providerLogin }, { existing_users_only: true }),
    credential: null,
    friendship_status: undefined,
  }
  const recorded = await recordSuppliedLogin(supplied, deps, call).catch(throwUnknownUser)
  countRecordedLogin(settings, recorded, deps)
  await persistLogin(supplied, recorded, storeNothing, deps, call)

  const { user, link_id, recorded_at } = recorded
  const { identifier } = user
  const nowMs = Date.now()
  const same = session?.identifier === identifier && session.link_id === link_id ? session : undefined
  const freshness = { max_age: null, reauthenticate: isFresh }
  const authTimeMs = resolveAuthTime(auth_time, same?.auth_time_ms, freshness, nowMs)
  const cookies = await renewSession(
    {
      site,
      identifier,
      link_id,
      provider,
      provider_user_id,
      recorded_at,
      auth_time_ms: authTimeMs,
      began_at_ms: same !== undefined && authTimeMs <= same.auth_time_ms ? same.began_at_ms : nowMs,
      browser,
      // What an application requested earlier stays available to it.
      claims: { ...same?.claims, openid: toClaims(providerLogin.data, ['openid'], new Date(recorded_at)) },
      provider_id_token: providerLogin.id_token,
    },
    session,
    cookie,
    deps,
  )
  const remembered = await rememberProvider(settings, deps)
  return { user: { identifier, created: false }, cookies: [...cookies, ...remembered] }
}

/**
 * Links the account to the user who is logged in to the account page in this browser.
 *
 * @throws SiteLoginError
 * @throws Fault of identity
 */
export async function linkAccountOfUser(
  { login, request, settings, providerLogin }: VerifiedAccountLogin,
  { cookie }: Pick<RequestContext, 'cookie'>,
  deps: Deps,
  call: Call,
): Promise<CompletedAccountLogin> {
  const { site } = settings
  const session = await readSession(site, cookie, deps)
  const { link_to: identifier } = request
  if (session === undefined || identifier === null || session.identifier !== identifier)
    throw new SiteLoginError('token_invalid')
  const { user } = await deps.identity.resolveUser({ site, identifier }, call).catch(throwLinkError)
  if (isLoginEnded(user, session.recorded_at)) throw new SiteLoginError('token_invalid')
  const supplied = toSuppliedLogin({ login, settings, providerLogin }, { link_to: identifier })
  const recorded: IdentityLogin = await recordSuppliedLogin(supplied, deps, call).catch(throwLinkError)
  await persistLogin(supplied, recorded, storeNothing, deps, call)
  return { user: { identifier, created: false }, cookies: [setAccountNotice('added', deps)] }
}

function throwUnknownUser(error: unknown): never {
  const isUnknown = error instanceof Fault && error.fault === 'entity_not_found'
  throw isUnknown ? new SiteLoginError('user_not_found', { cause: error }) : error
}
