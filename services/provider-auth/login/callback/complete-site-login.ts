import { randomBytes } from 'node:crypto'
import type { Knex } from 'knex'
import type { Call } from '#bus'
import { Fault } from '#contracts'
import { newToken } from '#runtime'
import type { Deps } from '../../deps.ts'
import { type CallbackRequest, SiteLoginError } from '../../domain/callback-request.ts'
import type { SiteProviderSettings } from '../../domain/provider-settings.ts'
import { tokenPrefixes } from '../../domain/token-prefixes.ts'
import { deleteAssociation } from '../../store/association-tokens.ts'
import { insertOneTimeToken } from '../../store/one-time-tokens.ts'
import type { NativeLogin, ProviderLogin } from '../../upstream/providers/provider.ts'
import { countRecordedLogin } from '../../usage/count-login.ts'
import type { LoggedInUser } from './complete-login.ts'
import { throwLinkError } from './link-errors.ts'
import { persistLogin } from './persist-login.ts'
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

/**
 * Completes a site login: records the login, or links the account, which is not a login.
 *
 * @param claim claims what may be used once, in the transaction that stores the token; if it throws, there is no token
 * @returns the one-time token and the user
 * @throws SiteLoginError
 * @throws Fault if identity is unavailable
 */
export async function completeSiteLogin(
  verified: VerifiedSiteLogin,
  deps: Deps,
  call: Call,
  claim: (trx: Knex.Transaction) => Promise<void> = async () => {},
): Promise<CompletedSiteLogin> {
  const { association, existing_users_only } = verified.request
  const supplied = toSuppliedLogin(verified, { link_to: association?.identifier ?? null, existing_users_only })
  const [recorded, token] = await Promise.all([
    association === null ? logIn(supplied, deps, call) : linkAccount(supplied, association, deps, call),
    newOneTimeToken(supplied.site, deps, call),
  ])
  if (association === null) countRecordedLogin(verified.settings, recorded, deps)

  const store: Parameters<typeof persistLogin>[2] = async (trx, { provider: _, ...one }) => {
    await claim(trx)
    await insertOneTimeToken(trx, { ...one, token })
  }
  await persistLogin(supplied, recorded, store, deps, call)
  return { token, user: { identifier: recorded.user.identifier, created: recorded.created } }
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
async function newOneTimeToken(site: number, { hasCompatibility }: Deps, call: Call): Promise<string> {
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
