import { Fault } from '#contracts'
import type { IdentityHandlers } from '../deps.ts'
import { insertClaim as claim, deleteExpiredResponses, findStoredResponse } from '../store/stored-responses.ts'

export const claimRequest: IdentityHandlers['claimRequest'] = async (request, { knex }) => {
  await deleteExpiredResponses(knex, request)
  const command = await claim(knex, request)
  if (command !== undefined) return { command, repeated: command !== request.command }
  const stored = await findStoredResponse(knex, request)
  if (stored !== undefined && stored.request !== request.request) throw new Fault('invalid_parameter')
  if (stored?.response) return { response: stored.response }
  throw new Fault('unavailable')
}
