import type { Handler } from '#bus'
import { Fault, type providerAuthContract } from '#contracts'
import type { Deps } from '../deps.ts'
import { findTestLogin } from '../store/test-logins.ts'

type Procedure = (typeof providerAuthContract.procedures)['readTestLogin']

export const readTestLogin: Handler<Procedure, Deps> = async ({ state, ...input }, deps) => {
  const testLogin = await findTestLogin(deps, state)
  const isOwn = testLogin?.site === input.site && testLogin.provider === input.provider && testLogin.by === input.by
  if (!isOwn) throw new Fault('entity_not_found')
  return testLogin.outcome
}
