import type { Knex } from 'knex'
import { newCall } from '#bus'
import {
  consoleContract,
  type DeletedLinks,
  type EndUserAction,
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
import { eraseAndConfirm, erasureField } from './erase-and-confirm.ts'

const deleteProfileLinks = profileContract.procedures.deleteLinks.input.extend(erasureField)
const deleteCredentials = providerAuthContract.procedures.deleteLinks.input.extend(erasureField)
const deleteStatuses = friendshipContract.procedures.deleteLinks.input.extend(erasureField)

function createRecipients(clients: ServiceClients, knex: Knex) {
  return {
    'profile.changeExcludedFields': defineRecipient(
      profileContract.procedures.changeExcludedFields.input,
      clients.profile.changeExcludedFields,
    ),
    'profile.changeEventSettings': defineRecipient(
      profileContract.procedures.changeEventSettings.input,
      clients.profile.changeEventSettings,
    ),
    'profile.deleteLinks': defineRecipient(
      deleteProfileLinks,
      eraseAndConfirm('profile', clients.profile.prepareErasure, clients.profile.deleteLinks, knex),
    ),
    'profile.mergeUsers': defineRecipient(profileContract.procedures.mergeUsers.input, clients.profile.mergeUsers),
    'providerAuth.deleteLinks': defineRecipient(
      deleteCredentials,
      eraseAndConfirm('provider-auth', clients.provider_auth.prepareErasure, clients.provider_auth.deleteLinks, knex),
    ),
    'friendship.deleteLinks': defineRecipient(
      deleteStatuses,
      eraseAndConfirm('friendship', clients.friendship.prepareErasure, clients.friendship.deleteLinks, knex),
    ),
    'console.recordEndUserAction': defineRecipient(
      consoleContract.procedures.recordEndUserAction.input,
      clients.console.recordEndUserAction,
    ),
  }
}

/** When one of these services becomes available, this one included, failed messages are sent again. */
export const identityOutboxServices = [
  identityContract,
  profileContract,
  providerAuthContract,
  friendshipContract,
  consoleContract,
]

type Recipients = ReturnType<typeof createRecipients>
export type IdentityMessage = OutboxMessage<Recipients>
export type IdentityOutbox = Outbox<Recipients>

export function createIdentityOutbox(
  clients: ServiceClients,
  { knex, logger }: { readonly knex: Knex; readonly logger: Logger },
): IdentityOutbox {
  return createOutbox({ recipients: createRecipients(clients, knex), newCall, knex, logger })
}

/** Adds an action of an end user to the audit trail. The end user does not wait for it. */
export function endUserActionMessage(input: EndUserAction): IdentityMessage {
  return {
    to: 'console.recordEndUserAction',
    input,
    key: `console.recordEndUserAction:${input.action_id}`,
    immediate: true,
  }
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

/** Deletes the data of a deleted user, and stores what was deleted for the receipt. */
export function eraseUserMessages({ site, ...erasure }: DeletedLinks, command: string): IdentityMessage[] {
  return deleteLinksMessages({ site, ...erasure, profile: 'delete' }, { command, erasure })
}

interface DeletionCause {
  /** A unique ID: that of the command that deletes, by which its repeat finds the message (`profileMessageKey`). */
  readonly command: string
  /** The deletion of a user, if it is the cause; earlier releases ignore it. */
  readonly erasure?: Omit<DeletedLinks, 'site'>
}

/** Deletes the data of unlinked accounts. */
export function deleteLinksMessages(
  input: Input<(typeof profileContract.procedures)['deleteLinks']>,
  { command, erasure }: DeletionCause,
): IdentityMessage[] {
  const { profile, ...deleted } = input
  const { site, link_ids } = deleted
  const name = `${site}:${command}`
  return [
    {
      to: 'profile.deleteLinks',
      input: { ...deleted, profile, erasure },
      key: profileMessageKey('profile.deleteLinks', { site, command }),
    },
    { to: 'providerAuth.deleteLinks', input: { ...deleted, erasure }, key: `providerAuth.deleteLinks:${name}` },
    // It has data of links only.
    ...(link_ids.length === 0
      ? []
      : [
          {
            to: 'friendship.deleteLinks' as const,
            input: { site, link_ids, erasure },
            key: `friendship.deleteLinks:${name}`,
          },
        ]),
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
