import type { Handler } from '#bus'
import { Fault, type providerAuth } from '#contracts'
import type { Deps } from '../deps.ts'
import { findTestLogin } from '../store/test-logins.ts'

type Procedure = (typeof providerAuth.procedures)['readTestLogin']

export const readTestLogin: Handler<Procedure, Deps> = async ({ state, ...asked }, deps) => {
  const begun = await findTestLogin(deps, state)
  const own = begun?.site === asked.site && begun.provider === asked.provider && begun.by === asked.by
  if (!own) throw new Fault('entity_not_found')
  return begun.outcome
}
