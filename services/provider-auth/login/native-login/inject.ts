import type { Call } from '#bus'
import { limits, type Provider, Slug } from '#contracts'
import type { Deps } from '../../deps.ts'
import { type CallbackRequest, type FailureReason, SiteLoginError } from '../../domain/callback-request.ts'
import type { SiteProviderSettings } from '../../domain/provider-settings.ts'
import { scopes } from '../../domain/scopes.ts'
import { OAuthError } from '../../http/oauth-error.ts'
import type { OAuthErrorName } from '../../http/oauth-errors.ts'
import { findAssociation } from '../../store/association-tokens.ts'
import { type LoginDurations, timeStep } from '../../usage/login-durations.ts'
import { completeSiteLogin } from '../callback/complete-site-login.ts'
import { acceptDocumentsInApp } from '../documents/accept-in-app.ts'
import type { UserOfSite } from '../documents/open-documents.ts'
import { toLoginId } from '../pending/pending-login.ts'
import type { NativeResult } from './log-native-login.ts'
import type { InjectRequest } from './request.ts'
import { toRecordingError, verifyAppLogin } from './verify-app-login.ts'

/** What the app receives: a token that its server exchanges with `authenticated_user`. */
export interface InjectResponse {
  readonly status: 'authorized'
  readonly token: string
  /** In seconds. */
  readonly expires_in: number
}

/** The names in the path of a site's own login addresses. */
export interface SiteAddress {
  readonly account: string
  readonly site_id: string
  readonly provider: Provider | undefined
}

/** @throws OAuthError if the site or its provider does not exist or is disabled */
export async function findSettingsOfAddress(
  { account, site_id, provider }: SiteAddress,
  { siteSettings }: Pick<Deps, 'siteSettings'>,
): Promise<SiteProviderSettings> {
  const areNamesValid = provider !== undefined && [account, site_id].every((name) => Slug.safeParse(name).success)
  const settings = areNamesValid ? await siteSettings.findProviderSettings({ account, site_id, provider }) : undefined
  if (!settings?.enabled) throw new OAuthError('login_address_unknown')
  return settings
}

/**
 * Logs in the user of a native app, or links the account to the user of an association token.
 *
 * @param durations receives those of the steps
 * @throws OAuthError
 * @throws Fault if identity is unavailable
 */
export async function injectLogin(
  settings: SiteProviderSettings,
  { received, association_token, accepted_documents }: InjectRequest,
  durations: LoginDurations,
  deps: Deps,
  call: Call,
): Promise<NativeResult<InjectResponse>> {
  deps.usage.countLogin(settings, 'started')
  // Like a site login, whose customer reads the data through the Web API.
  const verify = () => verifyAppLogin(settings, received, scopes, deps, call)
  const { login, providerLogin, claim } = await timeStep(durations, 'provider_ms', verify)
  const association = await findUnboundAssociation(association_token, settings, deps)
  const verified = {
    // A link is another command than a login with the same ID Token that failed before.
    login: association === null ? login : toLoginId(`link ${login} ${association.token_hash}`),
    settings,
    providerLogin,
    request: { association, existing_users_only: false },
  }
  const mustWait = async (user: UserOfSite) => {
    await acceptDocumentsInApp(user, { login, accepted: accepted_documents }, deps, call)
    return false
  }
  const complete = () => completeSiteLogin(verified, deps, call, { mustWait, claim })
  const completed = await timeStep(durations, 'recording_ms', complete).catch((error: unknown) => {
    throw error instanceof SiteLoginError ? toOAuthError(error.reason) : toRecordingError(error)
  })
  if ('waiting' in completed) throw new Error('A login of a native app cannot wait for a page.')
  const { token, user } = completed
  deps.usage.countLogin(settings, 'completed')
  return { response: { status: 'authorized', token, expires_in: limits.one_time_token_seconds }, user }
}

/** The link request of an association token that no browser has confirmed, because only that browser may continue. */
async function findUnboundAssociation(
  token: string | undefined,
  { site, provider }: SiteProviderSettings,
  { knex }: Pick<Deps, 'knex'>,
): Promise<CallbackRequest['association']> {
  if (token === undefined) return null
  const association = await findAssociation(knex, { site, provider, token })
  if (association === undefined || association.browser !== null) throw toOAuthError('token_invalid')
  return association
}

const linkErrors: Partial<Record<FailureReason, OAuthErrorName>> = {
  token_invalid: 'association_token_invalid',
  already_linked: 'provider_already_linked',
  linked_to_another_user: 'account_of_another_user',
}

function toOAuthError(reason: FailureReason): OAuthError {
  return new OAuthError(linkErrors[reason] ?? 'internal_error').withReason('native_login_rejected')
}
