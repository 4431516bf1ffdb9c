import { randomBytes } from 'node:crypto'
import type { Knex } from 'knex'
import type { Call } from '#bus'
import { Fault } from '#contracts'
import { newToken } from '#runtime'
import type { Deps } from '../../deps.ts'
import { type CallbackRequest, SiteLoginError } from '../../domain/callback-request.ts'
import type { NativeLogin, ProviderLogin } from '../../domain/provider-client.ts'
import type { SiteProviderSettings } from '../../domain/provider-settings.ts'
import { tokenPrefixes } from '../../domain/token-prefixes.ts'
import { deleteAssociation } from '../../store/association-tokens.ts'
import { insertOneTimeToken } from '../../store/one-time-tokens.ts'
import { countRecordedLogin } from '../../usage/count-login.ts'
import type { UserOfSite } from '../documents/open-documents.ts'
import type { LoggedInUser, WaitingLogin } from './complete-login.ts'
import { throwLinkError } from './link-errors.ts'
import { persistLogin, type StoreResponse, storeNothing } from './persist-login.ts'
import { discardLogin, type IdentityLogin, recordSuppliedLogin } from './record-supplied-login.ts'
import { type SuppliedLogin, toSuppliedLogin } from './supplied-login.ts'

/** A login that the provider verified and that receives a one-time token. */
interface VerifiedSiteLogin {
  /** The login's ID: recording it twice counts once. */
  readonly login: string
  readonly request: Pick<CallbackRequest, 'association' | 'existing_users_only'>
  readonly settings: SiteProviderSettings
  readonly providerLogin: ProviderLogin | NativeLogin
}

/** The one-time token, and its user. */
export interface CompletedSiteLogin {
  readonly token: string
  readonly user: LoggedInUser
}

/** What a login has to do before its token is issued. A link has neither. */
interface SiteLoginSteps {
  /** Whether the user first has to answer to documents of the site. If it throws, there is no token. */
  readonly mustWait: (user: UserOfSite) => Promise<boolean>
  /** Claims what may be used once, in the transaction that stores the token; if it throws, there is no token. */
  readonly claim?: (trx: Knex.Transaction) => Promise<void>
}

/**
 * Completes a site login: records the login, or links the account, which is not a login.
 *
 * @returns the one-time token and the user, or the login that waits for the user's answers
 * @throws SiteLoginError
 * @throws Fault if identity is unavailable
 */
export async function completeSiteLogin(
  verified: VerifiedSiteLogin,
  deps: Deps,
  call: Call,
  { mustWait, claim = async () => {} }: SiteLoginSteps,
): Promise<CompletedSiteLogin | WaitingLogin> {
  const { association, existing_users_only } = verified.request
  const supplied = toSuppliedLogin(verified, { link_to: association?.identifier ?? null, existing_users_only })
  const [recorded, token] = await Promise.all([
    association === null ? logIn(supplied, deps, call) : linkAccount(supplied, association, deps, call),
    newOneTimeToken(supplied.site, deps, call),
  ])
  if (association === null) countRecordedLogin(verified.settings, recorded, deps)

  const { site } = supplied
  const { link_id, recorded_at } = recorded
  const user = { identifier: recorded.user.identifier, created: recorded.created }
  if (association === null && (await mustWait({ site, identifier: user.identifier }))) {
    await persistLogin(supplied, recorded, storeNothing, deps, call)
    const { provider_user_id } = supplied
    return {
      cookies: [],
      user,
      waiting: { link_id, recorded_at, provider_user_id, auth_time_ms: Date.now(), claims: {} },
    }
  }
  const store: StoreResponse = async (trx, { provider: _, ...one }) => {
    await claim(trx)
    await insertOneTimeToken(trx, { ...one, token })
  }
  await persistLogin(supplied, recorded, store, deps, call)
  return { token, user }
}

/** Records the login. */
async function logIn(supplied: SuppliedLogin, deps: Deps, call: Call): Promise<IdentityLogin> {
  try {
    return await recordSuppliedLogin(supplied, deps, call)
  } catch (error) {
    const isUnknown = supplied.existing_users_only && error instanceof Fault && error.fault === 'entity_not_found'
    throw isUnknown ? new SiteLoginError('user_not_found', { cause: error }) : error
  }
}

/** A new token in the format that the site's applications expect. */
export async function newOneTimeToken(site: number, { hasCompatibility }: Deps, call: Call): Promise<string> {
  const isHex = await hasCompatibility(site, 'hex_one_time_tokens', call)
  return isHex ? randomBytes(20).toString('hex') : newToken(tokenPrefixes.one_time_token)
}

/** Links the account. The association token cannot be used again, whatever the result. */
async function linkAccount(
  supplied: SuppliedLogin,
  association: NonNullable<CallbackRequest['association']>,
  deps: Deps,
  call: Call,
): Promise<IdentityLogin> {
  const consume = async (trx: Knex.Transaction) => {
    if (!(await deleteAssociation(trx, { site: supplied.site, token_hash: association.token_hash })))
      throw new SiteLoginError('token_invalid')
  }
  try {
    return await recordSuppliedLogin(supplied, deps, call, consume)
  } catch (error) {
    if (error instanceof SiteLoginError) await discardLogin(supplied, deps)
    return throwLinkError(error)
  }
}
