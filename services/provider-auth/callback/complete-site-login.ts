import { randomUUID } from 'node:crypto'
import type { Call } from '#bus'
import { Fault } from '#contracts'
import { newToken } from '#runtime'
import type { Deps } from '../deps.ts'
import { type CallbackRequest, LinkError, toAuthorizedParameters } from '../domain/callback-request.ts'
import type { SiteProviderSettings } from '../domain/provider-settings.ts'
import { tokenPrefixes } from '../domain/token-prefixes.ts'
import { deleteAssociation } from '../store/association-tokens.ts'
import { insertOneTimeToken } from '../store/one-time-tokens.ts'
import { countRecordedLogin } from '../usage/count-login.ts'
import type { CompletedLogin, VerifiedLogin } from './complete-login.ts'
import { persistLogin } from './persist-login.ts'

/**
 * Completes a site login: records the login, or links the account, which is not a login. Returns the callback's
 * parameters with a one-time token.
 *
 * @throws LinkError
 * @throws Fault if identity is unavailable
 */
export async function completeSiteLogin(
  { login, request, settings, providerLogin }: VerifiedLogin<CallbackRequest>,
  deps: Deps,
  call: Call,
): Promise<CompletedLogin> {
  const { site, provider } = settings
  const account = { site, provider, provider_user_id: providerLogin.provider_user_id }
  const recorded =
    request.association === null
      ? await recordLogin({ ...account, login }, deps, call)
      : await linkAccount(account, request.association, deps, call)

  const token = newToken(tokenPrefixes.one_time_token)
  const store: Parameters<typeof persistLogin>[1] = (trx, { provider: _, ...one }) =>
    insertOneTimeToken(trx, { ...one, token })
  await persistLogin({ login, settings, providerLogin, ...recorded }, store, deps, call)
  return { parameters: toAuthorizedParameters(token), cookies: [] }
}

/** The user and link, and when identity recorded them. */
interface Recorded {
  readonly identifier: string
  readonly link_id: string
  readonly recorded_at: string
}

async function recordLogin(
  login: Parameters<Deps['identity']['recordLogin']>[0] & Pick<SiteProviderSettings, 'provider'>,
  deps: Deps,
  call: Call,
): Promise<Recorded> {
  const recorded = await deps.identity.recordLogin(login, call)
  countRecordedLogin(login, recorded, deps)
  const { user, link_id, recorded_at } = recorded
  return { identifier: user.identifier, link_id, recorded_at }
}

/** Links the account. The association token is deleted first, so that it cannot be used again whatever the result. */
async function linkAccount(
  account: Omit<Parameters<Deps['identity']['linkAccount']>[0], 'identifier' | 'command'>,
  association: NonNullable<CallbackRequest['association']>,
  { knex, identity }: Deps,
  call: Call,
): Promise<Recorded> {
  const { identifier } = association
  if (!(await deleteAssociation(knex, association))) throw new LinkError('token_invalid')
  try {
    const { link, recorded_at } = await identity.linkAccount({ ...account, identifier, command: randomUUID() }, call)
    return { identifier, link_id: link.link_id, recorded_at }
  } catch (error) {
    const reason = error instanceof Fault ? linkErrors.get(error.fault) : undefined
    throw reason === undefined ? error : new LinkError(reason, { cause: error })
  }
}

const linkErrors: ReadonlyMap<Fault['fault'], LinkError['reason']> = new Map([
  ['entity_not_found', 'token_invalid'],
  ['provider_already_linked', 'already_linked'],
  ['invalid_parameter', 'linked_to_another_user'],
])
