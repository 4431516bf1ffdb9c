import { randomUUID } from 'node:crypto'
import { Fault } from '#contracts'
import { hashSecret, newApiKey } from '#runtime'
import type { Deps, IdentityHandlers } from '../deps.ts'
import { commitSiteChange } from '../sites-changed.ts'
import { countActiveApiKeys, insertApiKey, markApiKeyRevoked, selectApiKeys } from '../store/api-keys.ts'
import { updateSiteRevision } from '../store/sites.ts'

export const listApiKeys: IdentityHandlers['listApiKeys'] = async ({ site }, { knex }) => ({
  keys: await selectApiKeys(knex, site),
})

/** One in use and one for rotation. Our choice. */
const maximumActiveKeys = 2

export const issueApiKey: IdentityHandlers['issueApiKey'] = async ({ site, name }, deps) => {
  const apiKey = newApiKey()
  const apiKeyId = await storeApiKey({ site, name, apiKey, brought_along: false }, deps)
  return { api_key_id: apiKeyId, api_key: apiKey }
}

export const enterApiKey: IdentityHandlers['enterApiKey'] = async ({ site, name, api_key }, deps) => ({
  api_key_id: await storeApiKey({ site, name, apiKey: api_key, brought_along: true }, deps),
})

interface KeyToStore {
  readonly site: number
  readonly name: string
  readonly apiKey: string
  readonly brought_along: boolean
}

/** Stores the hash of a key, and returns the ID of the key. */
async function storeApiKey({ site, name, apiKey, brought_along }: KeyToStore, deps: Deps): Promise<string> {
  const apiKeyId = randomUUID()
  await commitSiteChange(deps, async (trx, revision) => {
    // Locks the site, so that its keys are issued one after another.
    if (!(await updateSiteRevision(trx, site, revision))) throw new Fault('entity_not_found')
    if ((await countActiveApiKeys(trx, site)) >= maximumActiveKeys) throw new Fault('invalid_parameter')
    await insertApiKey(trx, {
      api_key_id: apiKeyId,
      site,
      name,
      key_hash: hashSecret(apiKey),
      last_four: apiKey.slice(-4),
      brought_along,
    })
  })
  return apiKeyId
}

export const revokeApiKey: IdentityHandlers['revokeApiKey'] = async (key, deps) => {
  await commitSiteChange(deps, async (trx, revision) => {
    if (!(await updateSiteRevision(trx, key.site, revision))) throw new Fault('entity_not_found')
    if (!(await markApiKeyRevoked(trx, key))) throw new Fault('entity_not_found')
  })
  return {}
}
