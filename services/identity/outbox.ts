import type { Knex } from 'knex'
import { newCall } from '#bus'
import {
  friendshipContract,
  type Input,
  identityContract,
  type Merge,
  profileContract,
  providerAuthContract,
  type SiteDetails,
} from '#contracts'
import { createOutbox, defineRecipient, type Outbox, type OutboxMessage } from '#database'
import type { Logger } from '#runtime'
import type { ServiceClients } from './bus.ts'

function createRecipients({ profile: profiles, provider_auth, friendship: friends }: ServiceClients) {
  return {
    'profile.changeExcludedFields': defineRecipient(
      profileContract.procedures.changeExcludedFields.input,
      profiles.changeExcludedFields,
    ),
    'profile.changeEventSettings': defineRecipient(
      profileContract.procedures.changeEventSettings.input,
      profiles.changeEventSettings,
    ),
    'profile.deleteLinks': defineRecipient(profileContract.procedures.deleteLinks.input, profiles.deleteLinks),
    'profile.mergeUsers': defineRecipient(profileContract.procedures.mergeUsers.input, profiles.mergeUsers),
    'providerAuth.deleteLinks': defineRecipient(
      providerAuthContract.procedures.deleteLinks.input,
      provider_auth.deleteLinks,
    ),
    'friendship.deleteLinks': defineRecipient(friendshipContract.procedures.deleteLinks.input, friends.deleteLinks),
  }
}

/** When one of these services becomes available, this one included, failed messages are sent again. */
export const identityOutboxServices = [identityContract, profileContract, providerAuthContract, friendshipContract]

type Recipients = ReturnType<typeof createRecipients>
export type IdentityMessage = OutboxMessage<Recipients>
export type IdentityOutbox = Outbox<Recipients>

export function createIdentityOutbox(
  clients: ServiceClients,
  { knex, logger }: { readonly knex: Knex; readonly logger: Logger },
): IdentityOutbox {
  return createOutbox({ recipients: createRecipients(clients), newCall, knex, logger })
}

/** Deletes stored profile data that a site no longer stores. */
export function excludedFieldsMessage({ site, revision, profile_not_stored }: SiteDetails): IdentityMessage {
  const input = { site, revision, profile_not_stored }
  return { to: 'profile.changeExcludedFields', input, key: `profile.changeExcludedFields:${site}:${revision}` }
}

/** Changes whether events of a site contain profiles. */
export function eventSettingsMessage({ site, revision, profile_in_events }: SiteDetails): IdentityMessage {
  const input = { site, revision, profile_in_events }
  return { to: 'profile.changeEventSettings', input, key: `profile.changeEventSettings:${site}:${revision}` }
}

/**
 * Deletes the data of unlinked accounts, or of all accounts of a deleted user.
 *
 * @param command a unique ID: that of the command that deletes, by which its repeat finds the message (`profileMessageKey`)
 */
export function deleteLinksMessages(
  input: Input<(typeof profileContract.procedures)['deleteLinks']>,
  command: string,
): IdentityMessage[] {
  const { profile: _, ...deleted } = input
  const { site, link_ids } = deleted
  const name = `${site}:${command}`
  return [
    { to: 'profile.deleteLinks', input, key: profileMessageKey('profile.deleteLinks', { site, command }) },
    { to: 'providerAuth.deleteLinks', input: deleted, key: `providerAuth.deleteLinks:${name}` },
    // It has data of links only.
    ...(link_ids.length === 0
      ? []
      : [{ to: 'friendship.deleteLinks' as const, input: { site, link_ids }, key: `friendship.deleteLinks:${name}` }]),
  ]
}

/** Merges the profiles of users whose links moved. @param command that merges, as in `deleteLinksMessages` */
export function mergeProfilesMessage(input: Merge & { readonly combine: boolean }, command: string): IdentityMessage {
  return {
    to: 'profile.mergeUsers',
    input,
    key: profileMessageKey('profile.mergeUsers', { site: input.site, command }),
  }
}

/** The key of the message to the profile service that a command stores. */
export function profileMessageKey(
  to: 'profile.deleteLinks' | 'profile.mergeUsers',
  { site, command }: { readonly site: number; readonly command: string },
): string {
  return `${to}:${site}:${command}`
}
