import { randomBytes } from 'node:crypto'
import type { Knex } from 'knex'
import type { Call } from '#bus'
import { Fault } from '#contracts'
import { newToken } from '#runtime'
import type { Deps } from '../deps.ts'
import { type CallbackRequest, LinkError, toAuthorizedParameters } from '../domain/callback-request.ts'
import { tokenPrefixes } from '../domain/token-prefixes.ts'
import { deleteAssociation } from '../store/association-tokens.ts'
import { insertOneTimeToken } from '../store/one-time-tokens.ts'
import { countRecordedLogin } from '../usage/count-login.ts'
import type { CompletedLogin, VerifiedLogin } from './complete-login.ts'
import { persistLogin } from './persist-login.ts'
import { discardLogin, type IdentityLogin, recordSuppliedLogin } from './record-supplied-login.ts'
import { type SuppliedLogin, toSuppliedLogin } from './supplied-login.ts'

/**
 * Completes a site login: records the login, or links the account, which is not a login. Returns the callback's
 * parameters with a one-time token.
 *
 * @throws LinkError
 * @throws Fault if identity is unavailable
 */
export async function completeSiteLogin(
  verified: VerifiedLogin<CallbackRequest>,
  deps: Deps,
  call: Call,
): Promise<CompletedLogin> {
  const { association } = verified.request
  const supplied = toSuppliedLogin(verified, association?.identifier ?? null)
  const [recorded, token] = await Promise.all([
    association === null ? recordSuppliedLogin(supplied, deps, call) : linkAccount(supplied, association, deps, call),
    newOneTimeToken(supplied.site, deps, call),
  ])
  if (association === null) countRecordedLogin(verified.settings, recorded, deps)

  const store: Parameters<typeof persistLogin>[2] = (trx, { provider: _, ...one }) =>
    insertOneTimeToken(trx, { ...one, token })
  await persistLogin(supplied, recorded, store, deps, call)
  return { parameters: toAuthorizedParameters(token), cookies: [] }
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
      throw new LinkError('token_invalid')
  }
  try {
    return await recordSuppliedLogin(supplied, deps, call, consume)
  } catch (error) {
    if (error instanceof LinkError) await discardLogin(supplied, deps)
    const reason = error instanceof Fault ? linkErrors.get(error.fault) : undefined
    throw reason === undefined ? error : new LinkError(reason, { cause: error })
  }
}

const linkErrors: ReadonlyMap<Fault['fault'], LinkError['reason']> = new Map([
  ['entity_not_found', 'token_invalid'],
  ['provider_already_linked', 'already_linked'],
  ['invalid_parameter', 'linked_to_another_user'],
])
