import type { BulkFailure } from '#admin-api'
import { newCall } from '#bus'
import { Fault, type FaultName } from '#contracts'
import { deriveUuid } from '#runtime'
import type { ServiceClients } from '../bus.ts'
import type { StoredBulkChange } from '../store/bulk-changes.ts'

/** What became of a user. */
export type UserOutcome = 'changed' | 'unchanged' | BulkFailure['reason']

const outcomes: Readonly<Partial<Record<FaultName, UserOutcome>>> = {
  // Deleted or merged meanwhile.
  entity_not_found: 'unchanged',
  // The end of the block is in the past.
  invalid_parameter: 'unchanged',
  provider_not_linked: 'unchanged',
  // The provider is unlinked, and the profile follows later.
  operation_failed: 'changed',
  last_provider: 'last_provider',
  metadata_too_large: 'metadata_too_large',
  metadata_invalid: 'metadata_invalid',
}

/**
 * Changes a user. A repeat has no further effect.
 *
 * @throws Fault if the service cannot do it now
 */
export async function changeUser(
  change: StoredBulkChange,
  identifier: string,
  { identity }: Pick<ServiceClients, 'identity'>,
): Promise<UserOutcome> {
  try {
    await applyAction(change, identifier, identity)
    return 'changed'
  } catch (error) {
    const outcome = error instanceof Fault ? outcomes[error.fault] : undefined
    if (outcome === undefined) throw error
    return outcome
  }
}

async function applyAction(
  { change_id, site, action, unlinked_provider, parameters, requested_by }: StoredBulkChange,
  identifier: string,
  identity: ServiceClients['identity'],
): Promise<unknown> {
  const user = { site, identifier, command: deriveUuid(`bulk change ${change_id} ${identifier}`) }
  const call = newCall()
  const { reason = null, until = null, user_metadata, app_metadata } = parameters
  switch (action) {
    case 'block':
      return identity.blockUser({ ...user, reason, until, by: requested_by }, call)
    case 'unblock':
      return identity.unblockUser(user, call)
    case 'end_sessions':
      return identity.endUserSessions(user, call)
    case 'unlink': {
      const providers = unlinked_provider === null ? [] : [unlinked_provider]
      return identity.unlinkProviders({ ...user, providers, nowarn: false, nomerge: false }, call)
    }
    case 'change_metadata':
      return identity.changeMetadata({ ...user, user_metadata, app_metadata, replace: false }, call)
    case 'delete':
      return identity.deleteUser({ ...user, requested_by: 'admin_api' }, call)
  }
}
