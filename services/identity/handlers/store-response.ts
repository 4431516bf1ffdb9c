import type { IdentityHandlers } from '../deps.ts'
import { updateStoredResponse } from '../store/stored-responses.ts'

export const storeResponse: IdentityHandlers['storeResponse'] = async (response, { knex }) => {
  await updateStoredResponse(knex, response)
  return {}
}
