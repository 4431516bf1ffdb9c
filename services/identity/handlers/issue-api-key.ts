import { randomUUID } from 'node:crypto'
import { Fault } from '#contracts'
import { hashSecret, newApiKey } from '#runtime'
import type { IdentityHandlers } from '../deps.ts'
import { commitSiteChange } from '../sites-changed.ts'
import { countActiveApiKeys, insertApiKey } from '../store/api-keys.ts'
import { updateSiteRevision } from '../store/sites.ts'

/** One in use and one for rotation. Our choice. */
const maximumActiveKeys = 2

export const issueApiKey: IdentityHandlers['issueApiKey'] = async ({ site, name }, deps) => {
  const apiKeyId = randomUUID()
  const apiKey = newApiKey()
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
    })
  })
  return { api_key_id: apiKeyId, api_key: apiKey }
}
