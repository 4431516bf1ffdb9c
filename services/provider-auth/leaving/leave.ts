import type { Task } from '#database'
import { createCounter } from '#runtime'
import type { Deps } from '../deps.ts'
import { isAccountInUse } from '../store/credentials.ts'
import { findProviderSettings } from '../store/provider-settings.ts'
import { Departure, Payload, placeOf, task } from './departure.ts'

type Given = Pick<Deps, 'knex' | 'encryptor' | 'findLoginProvider' | 'logger' | 'registry'>

/** What the job queue does for accounts that a site has nothing to do with any more. */
export function leavingTasks(deps: Given): Readonly<Record<string, Task>> {
  const leavings = createCounter(deps.registry, 'sociallogin_leavings_total')
  return {
    async [task](payload) {
      const { key, encrypted, provider, give_up_at } = Payload.parse(payload)
      try {
        const opened = await deps.encryptor.decrypt(Buffer.from(encrypted, 'base64'), placeOf(key))
        const outcome = await leave(Departure.parse(JSON.parse(opened)), deps)
        leavings.inc({ provider, outcome })
      } catch (error) {
        const isOver = Date.now() >= Date.parse(give_up_at)
        leavings.inc({ provider, outcome: isOver ? 'given_up' : 'failed' })
        if (isOver) deps.logger.error({ error, provider }, 'leaving a login provider was given up')
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
async function leave(
  departure: Departure,
  { knex, encryptor, findLoginProvider }: Given,
): Promise<'left' | 'returned' | 'impossible'> {
  const { site, provider, provider_user_id } = departure
  // Also settings that are disabled: nobody logs in with them, but they are still known at the provider.
  const settings = await findProviderSettings({ knex, encryptor }, { site, provider })
  const leaveProvider = findLoginProvider(provider)?.leave
  if (settings === undefined || leaveProvider === undefined) return 'impossible'
  const { client_id } = settings
  if (await isAccountInUse(knex, { provider, provider_user_id, client_id })) return 'returned'
  await leaveProvider(settings, departure)
  return 'left'
}
