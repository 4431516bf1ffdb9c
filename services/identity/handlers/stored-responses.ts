import { remainingMs } from '#bus'
import { Fault } from '#contracts'
import type { IdentityHandlers } from '../deps.ts'
import {
  deleteExpiredResponse,
  findStoredResponse,
  insertClaim,
  updateStoredResponse,
} from '../store/stored-responses.ts'

/** How long a claim outlasts the request, so that the response can be stored. Our choice. */
const storeMs = 2_000

export const claimRequest: IdentityHandlers['claimRequest'] = async (request, { knex }, call) => {
  await deleteExpiredResponse(knex, request)
  // A claim that takes effect late, when its caller no longer waits, must not hold the request for long.
  const command = await insertClaim(knex, request, remainingMs(call) + storeMs)
  if (command !== undefined) return { command, repeated: command !== request.command }
  const storedResponse = await findStoredResponse(knex, request)
  if (storedResponse !== undefined && storedResponse.request !== request.request) throw new Fault('invalid_parameter')
  if (storedResponse?.response) return { response: storedResponse.response }
  throw new Fault('unavailable')
}

export const storeResponse: IdentityHandlers['storeResponse'] = async (response, { knex }) => {
  await updateStoredResponse(knex, response)
  return {}
}
