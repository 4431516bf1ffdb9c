import { limits, Provider, Text } from '#contracts'
import type { Deps } from '../deps.ts'
import { type AccountRequest, accountPlaces } from '../domain/account-request.ts'
import { nameSubject } from '../hosts/account-address.ts'
import { redirectToProvider } from '../login/pending/redirect-to-provider.ts'
import { toLoginFailure } from '../login/request/failure.ts'
import { errorPage, isServiceFailure, type Outcome } from '../login/request/outcome.ts'
import { listLoginChoices } from '../pages/buttons/login-choices.ts'
import { type EndUserVisit, goTo, isFresh, isOwnForm, type RequestPlace, type Visit } from './visit.ts'

/** Of any client, also one that was removed. */
const ApplicationId = Text.min(1).max(255)

/**
 * Starts a login at the provider in the path. An end user who is logged in has to authenticate again, as the same user, where the
 * provider allows to ask for it.
 */
export async function startAccountLogin(visit: Visit, deps: Deps): Promise<Outcome> {
  const { values } = visit.context.parameters
  const place = accountPlaces.find((name) => name === values.get('to')) ?? 'overview'
  const subject = (place === 'application' ? ApplicationId : Provider).safeParse(values.get(nameSubject(place)))
  const identifier = visit.endUser?.session.identifier ?? null
  return redirect(
    visit,
    visit.context.provider,
    {
      response_type: 'account_page',
      place,
      subject: subject.data ?? null,
      hinted_identifier: identifier,
      link_to: null,
      state: null,
    },
    deps,
  )
}

/** Starts the link of a further account, by the form of our page. */
export async function startAccountLink(visit: EndUserVisit, place: RequestPlace, deps: Deps): Promise<Outcome> {
  const { endUser, context, buildAddress } = visit
  const page = buildAddress({ place: 'add' })
  if (!isOwnForm(endUser, context, place)) return goTo(page, 'form_expired', deps)
  if (!isFresh(endUser)) return goTo(page, undefined, deps)
  const provider = context.parameters.values.get('provider')
  const request: AccountRequest = {
    response_type: 'account_page',
    place: 'overview',
    subject: null,
    hinted_identifier: null,
    link_to: endUser.session.identifier,
    state: null,
  }
  return redirect(visit, provider, request, deps)
}

async function redirect(
  { context, owner, buildAddress }: Visit,
  provider: string | undefined,
  request: AccountRequest,
  deps: Deps,
): Promise<Outcome> {
  const choices = await listLoginChoices(owner.site, deps)
  const choice = choices.find((one) => one.provider === provider)
  const settings = choice && (await deps.siteSettings.findProviderSettings(choice))
  const providerClient = settings?.enabled ? deps.findProviderClient(settings) : undefined
  if (settings === undefined || providerClient === undefined) return errorPage('provider_invalid')
  const mustReauthenticate = request.hinted_identifier !== null
  const providerRequest = {
    passedParameters: {},
    prompts: mustReauthenticate ? (['login'] as const) : [],
    max_age: mustReauthenticate && providerClient.supportsMaxAge ? limits.fresh_login_seconds : null,
  }
  try {
    return await redirectToProvider({ settings, providerClient }, { ...context, request, providerRequest }, deps)
  } catch (error) {
    const { login } = toLoginFailure(error, request)
    if (!isServiceFailure(login)) throw error
    const { request_id } = context.call
    deps.logger.error({ error, provider, request_id }, 'login to the account page could not be started')
    const notice = login === 'provider_error' ? 'provider_failed' : 'failed'
    return { ...goTo(buildAddress({ place: 'overview' }), notice, deps), login }
  }
}
