import { decryptPayload, type Task } from '#database'
import { createCounter } from '#runtime'
import type { Deps } from '../../deps.ts'
import { isAccountInUse } from '../../store/credentials.ts'
import { findProviderSettings } from '../../store/provider-settings.ts'
import { toMetricLabel } from '../../usage/metric-label.ts'
import { ProviderGrant, RevocationPayload, revocationTask } from './revocation-job.ts'

type RevocationTaskDeps = Pick<Deps, 'knex' | 'reader' | 'encryptor' | 'findProviderClient' | 'logger' | 'registry'>

/** Creates the job that revokes accounts at login providers. */
export function createRevocationTasks(deps: RevocationTaskDeps): Readonly<Record<string, Task>> {
  const revocations = createCounter(deps.registry, 'sociallogin_provider_revocations_total')
  return {
    async [revocationTask](payload) {
      const { provider, give_up_at } = RevocationPayload.parse(payload)
      try {
        const outcome = await revokeGrant(ProviderGrant.parse(await decryptPayload(deps.encryptor, payload)), deps)
        revocations.inc({ provider: toMetricLabel(provider), outcome })
      } catch (error) {
        const hasExpired = Date.now() >= Date.parse(give_up_at)
        revocations.inc({ provider: toMetricLabel(provider), outcome: hasExpired ? 'given_up' : 'failed' })
        if (hasExpired)
          deps.logger.error({ error, provider }, 'provider revocation failed for the last time; giving up')
        // The job queue stores the message, so it contains nothing that the provider sent.
        else throw new Error('The revocation at the login provider failed.', { cause: error })
      }
    },
  }
}

/**
 * Revokes at the provider what the end user granted, unless the end user has logged in again: a provider has one
 * consent per client, and revoking the old one would end the new one. It does not see a login that is in progress at
 * this moment: that login fails, or its tokens are invalid until the next login.
 *
 * @throws if the revocation has to be retried
 */
async function revokeGrant(
  grant: ProviderGrant,
  { knex, reader, encryptor, findProviderClient }: RevocationTaskDeps,
): Promise<'revoked' | 'relinked' | 'no_settings'> {
  const { site, provider, provider_user_id } = grant
  // Includes disabled settings: end users cannot log in with them, but the provider still knows the consent.
  const settings = await findProviderSettings({ reader, encryptor }, { site, provider })
  const revoke = settings && findProviderClient(settings)?.revoke
  if (settings === undefined || revoke === undefined) return 'no_settings'
  const { client_id } = settings
  if (await isAccountInUse(knex, { provider, provider_user_id, client_id })) return 'relinked'
  await revoke(settings, grant)
  return 'revoked'
}
