import type { Task } from '#database'
import { createCounter } from '#runtime'
import type { Deps } from '../deps.ts'
import { isAccountInUse } from '../store/credentials.ts'
import { findProviderSettings } from '../store/provider-settings.ts'
import { ProviderGrant, RevocationPayload, revocationContextOf, revocationTask } from './revocation-job.ts'

type RevocationTaskDeps = Pick<Deps, 'knex' | 'encryptor' | 'findProviderClient' | 'logger' | 'registry'>

/** What the job queue does for accounts that a site has nothing to do with any more. */
export function createRevocationTasks(deps: RevocationTaskDeps): Readonly<Record<string, Task>> {
  const revocations = createCounter(deps.registry, 'sociallogin_leavings_total')
  return {
    async [revocationTask](payload) {
      const { key, encrypted, provider, give_up_at } = RevocationPayload.parse(payload)
      try {
        const plain = await deps.encryptor.decrypt(Buffer.from(encrypted, 'base64'), revocationContextOf(key))
        const outcome = await revokeGrant(ProviderGrant.parse(JSON.parse(plain)), deps)
        revocations.inc({ provider, outcome })
      } catch (error) {
        const hasExpired = Date.now() >= Date.parse(give_up_at)
        revocations.inc({ provider, outcome: hasExpired ? 'given_up' : 'failed' })
        if (hasExpired) deps.logger.error({ error, provider }, 'leaving a login provider was given up')
        // The queue keeps the message, so it holds nothing of what the provider said.
        else throw new Error('The login provider could not be left.', { cause: error })
      }
    },
  }
}

/**
 * Ends at the provider what a person granted, unless the person has come back since: a provider knows one consent, and it
 * would end with the old one. A login with the account that is in progress at this moment is not seen: it fails, or its
 * tokens are invalid until the next login.
 *
 * @throws when the provider has to be asked again
 */
async function revokeGrant(
  grant: ProviderGrant,
  { knex, encryptor, findProviderClient }: RevocationTaskDeps,
): Promise<'left' | 'returned' | 'impossible'> {
  const { site, provider, provider_user_id } = grant
  // Also settings that are disabled: nobody logs in with them, but they are still known at the provider.
  const settings = await findProviderSettings({ knex, encryptor }, { site, provider })
  const revoke = findProviderClient(provider)?.revoke
  if (settings === undefined || revoke === undefined) return 'impossible'
  const { client_id } = settings
  if (await isAccountInUse(knex, { provider, provider_user_id, client_id })) return 'returned'
  await revoke(settings, grant)
  return 'left'
}
