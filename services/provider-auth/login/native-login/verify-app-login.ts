import { randomUUID } from 'node:crypto'
import type { Knex } from 'knex'
import type { Call } from '#bus'
import { Fault } from '#contracts'
import { hashSecret } from '#runtime'
import type { Deps } from '../../deps.ts'
import { allowsNativeApps } from '../../domain/app-client-ids.ts'
import { type AppLogin, AppLoginRejected, type NativeLogin } from '../../domain/provider-client.ts'
import type { SiteProviderSettings } from '../../domain/provider-settings.ts'
import type { Scope } from '../../domain/scopes.ts'
import { OAuthError } from '../../http/oauth-error.ts'
import { insertUsedIdToken, isIdTokenUsed, type PresentedIdToken } from '../../store/used-id-tokens.ts'
import { toLoginId } from '../pending/pending-login.ts'

/** A login of a native app that the provider verified. */
export interface VerifiedAppLogin {
  /** The login's ID, the same for each attempt with one ID Token: a repeat after a failure counts once. */
  readonly login: string
  readonly providerLogin: NativeLogin
  /**
   * Marks the ID Token as used, in the transaction that stores what the app receives for it.
   *
   * @throws OAuthError if another request was faster
   */
  readonly claim: (trx: Knex.Transaction) => Promise<void>
}

/**
 * Verifies what a native app received from the provider's SDK. An ID Token is accepted once (OpenID Connect Core 15.5.2),
 * an access token as long as it is valid, because SDKs return the same one again.
 *
 * @throws OAuthError
 */
export async function verifyAppLogin(
  settings: SiteProviderSettings,
  received: AppLogin,
  scope: readonly Scope[],
  deps: Deps,
  call: Call,
): Promise<VerifiedAppLogin> {
  const { site, provider } = settings
  const verify = deps.findProviderClient(settings)?.verifyAppLogin
  if (verify === undefined || !allowsNativeApps(settings)) throw new OAuthError('native_login_disabled')
  const providerLogin = await verify(settings, received, scope).catch((error: unknown) => {
    if (error instanceof AppLoginRejected) throw new OAuthError(error.rejection).withReason('native_login_rejected')
    deps.logger.error({ error, provider, request_id: call.request_id }, 'login of a native app failed at the provider')
    deps.usage.countLogin(settings, 'failed')
    throw new OAuthError('provider_unavailable', { cause: error })
  })
  const { id_token_ends_at } = providerLogin
  if (received.id_token === undefined || id_token_ends_at === undefined)
    return { login: randomUUID(), providerLogin, claim: async () => {} }

  const presented = present(received.id_token, site, id_token_ends_at)
  if (await isIdTokenUsed(deps.reader, presented)) throw createUsedError()
  return {
    login: toLoginId(`id_token ${site} ${presented.token_hash}`),
    providerLogin,
    async claim(trx) {
      if (!(await insertUsedIdToken(trx, presented))) throw createUsedError()
    },
  }
}

/**
 * Counts a started login of an address, together with those of browsers.
 *
 * @throws OAuthError 429 if the address has started too many
 */
export async function limitStartedLogins(
  address: string | undefined,
  { countStartedLogin }: Pick<Deps, 'countStartedLogin'>,
): Promise<void> {
  const retryAfterSeconds = await countStartedLogin(address)
  if (retryAfterSeconds !== undefined) {
    const error = new OAuthError('too_many_logins', { retryAfterSeconds })
    throw error.withReason('too_many_logins')
  }
}

/** Only the header and the payload are signed. The signature's own text can change without becoming invalid. */
function present(idToken: string, site: number, endsAt: Date): PresentedIdToken {
  const [header = '', payload = ''] = idToken.split('.')
  return { site, token_hash: hashSecret(`${header}.${payload}`), expires_at: endsAt }
}

/**
 * Translates an error of recording a login. Identity does not find the user of a repeat whose first attempt was recorded and
 * whose user was deleted since; only another ID Token starts another login.
 */
export function toRecordingError(error: unknown): unknown {
  if (!(error instanceof Fault)) return error
  if (error.fault === 'user_blocked') return new OAuthError('user_blocked', { cause: error }).withReason('user_blocked')
  return error.fault === 'entity_not_found' ? createUsedError() : error
}

function createUsedError(): OAuthError {
  return new OAuthError('id_token_used').withReason('native_login_rejected')
}
