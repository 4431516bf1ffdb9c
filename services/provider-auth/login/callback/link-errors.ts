import { Fault } from '#contracts'
import { SiteLoginError } from '../../domain/callback-request.ts'

const reasons: ReadonlyMap<Fault['fault'], SiteLoginError['reason']> = new Map([
  ['entity_not_found', 'token_invalid'],
  ['provider_already_linked', 'already_linked'],
  ['invalid_parameter', 'linked_to_another_user'],
])

/** Throws what an error of identity says about a link. @throws SiteLoginError, or the error if it says nothing about it */
export function throwLinkError(error: unknown): never {
  const reason = error instanceof Fault ? reasons.get(error.fault) : undefined
  throw reason === undefined ? error : new SiteLoginError(reason, { cause: error })
}
