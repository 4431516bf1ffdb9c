import type { Call } from '#bus'
import { Fault } from '#contracts'
import { clockToleranceSeconds } from '#http'
import type { Deps } from '../deps.ts'
import { authTimeOf } from '../domain/auth-time.ts'
import type { AuthorizationRequest } from '../domain/authorization-request.ts'
import { toClaims } from '../domain/claims.ts'
import type { RegisteredClient } from '../domain/client.ts'
import { loginRequired } from '../domain/interaction-needed.ts'
import type { ProviderSettings } from '../domain/provider-settings.ts'
import { countRecorded } from '../insight/count-login.ts'
import { issuedParameters, newIssue, storeIssue } from '../login/issue.ts'
import type { Login } from '../providers/provider.ts'
import { openSession, renewSession } from '../session/session.ts'
import { keep } from './keep.ts'
import { tellTester } from './test-login.ts'

/** A login that the provider vouches for. */
export interface Vouched<Request> {
  /** Names this login: recorded twice it counts once. */
  readonly login: string
  readonly request: Request
  readonly client: RegisteredClient
  readonly settings: ProviderSettings
  /** What the provider told. */
  readonly told: Login
}

/** The parameters for the application, and `Set-Cookie` fields for the browser. */
export interface Completed {
  readonly parameters: Readonly<Record<string, string>>
  readonly cookies: readonly string[]
}

/**
 * Records a login everywhere, the user first, and begins the browser's session with the site. The application gets a `code`
 * or an `id_token`.
 *
 * @param cookie the request's `Cookie` field
 * @throws InteractionNeeded when another user logged in than was hinted at, or the provider let an old login pass
 * @throws Fault when identity is away
 */
export async function completeLogin(
  vouched: Vouched<AuthorizationRequest>,
  cookie: string | undefined,
  deps: Deps,
  call: Call,
): Promise<Completed> {
  const { login, request, client, settings, told } = vouched
  const { site, provider } = settings
  const { provider_user_id, data } = told
  if (!isRecent(told.auth_time, request)) throw loginRequired()
  const [session] = await Promise.all([openSession(site, cookie, deps), refuseOthers(vouched, deps, call)])
  const recorded = await deps.identity.recordLogin({ site, login, provider, provider_user_id }, call)
  countRecorded(settings, recorded, deps)
  const { user, link_id, recorded_at } = recorded
  const obtainedAt = new Date(recorded_at)

  const { identifier } = user
  const nowMs = Date.now()
  const same = session?.identifier === identifier && session.provider === provider ? session : undefined
  const authTimeMs = authTimeOf(told.auth_time, same?.auth_time_ms, request, nowMs)
  const continued = same !== undefined && authTimeMs <= same.auth_time_ms
  const about = {
    user,
    provider_user_id,
    auth_time: new Date(authTimeMs),
    claims: toClaims(data, request.scope, obtainedAt),
  }
  const issue = newIssue(request, client, about)
  const supplied = { login, settings, identifier, link_id, told, recorded_at }
  await keep(supplied, (trx, loginRecorded) => storeIssue(trx, issue, loginRecorded, deps), deps, call)

  const person = { site, identifier, link_id, provider, provider_user_id, recorded_at }
  const beganAtMs = continued ? same.began_at_ms : nowMs
  const claims = Object.fromEntries(request.scope.map((scope) => [scope, toClaims(data, [scope], obtainedAt)]))
  const cookies = await renewSession(
    { ...person, auth_time_ms: authTimeMs, began_at_ms: beganAtMs, claims },
    session,
    cookie,
    deps,
  )
  const parameters = await issuedParameters(issue, provider, deps)
  await tellTester(request, settings, { outcome: 'came', identifier, claims: told.claims }, deps)
  return { parameters, cookies }
}

/** Whether the provider heeded `max_age`. */
function isRecent(authTime: Date | undefined, { max_age }: AuthorizationRequest): boolean {
  if (authTime === undefined || max_age === null) return true
  return Date.now() - authTime.getTime() <= (max_age + clockToleranceSeconds) * 1_000
}

/** Refuses an account that is not the hinted user's, before anything is recorded (OpenID Connect Core 3.1.2.1). */
async function refuseOthers(
  { request: { hinted }, settings: { site, provider }, told: { provider_user_id } }: Vouched<AuthorizationRequest>,
  { identity }: Deps,
  call: Call,
): Promise<void> {
  if (hinted === null) return
  const { links } = await identity.resolveUser({ site, identifier: hinted }, call).catch((error: unknown) => {
    throw error instanceof Fault && ['entity_not_found', 'invalid_parameter'].includes(error.fault)
      ? loginRequired()
      : error
  })
  // A login through search finds an account that is linked as search_legacy.
  const names = provider === 'search' ? ['search', 'search_legacy'] : [provider]
  const own = links.some((link) => names.includes(link.provider) && link.provider_user_id === provider_user_id)
  if (!own) throw loginRequired()
}
