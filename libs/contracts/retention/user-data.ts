import type { DataKind } from './data-kind.ts'

/** What is stored about a single user, and can be read for the user. */
export const userDataKinds = {
  user: {
    service: 'identity',
    stores: ['users'],
    holds: 'The IDs of the user, when they were created and last logged in, and a block',
    kept: 'Until the user is deleted or merged into another user',
    setting: '`delete_after_days` of the site: the rule for inactive users',
  },
  linked_accounts: {
    service: 'identity',
    stores: ['links'],
    holds: 'The accounts at login providers with which the user logs in',
    kept: 'Until the account is unlinked, or the user is deleted',
  },
  metadata: {
    service: 'identity',
    stores: ['user_metadata', 'metadata_values'],
    holds: 'What applications and administrators stored about the user',
    kept: 'Until it is changed, or the user is deleted',
  },
  consents: {
    service: 'identity',
    stores: ['consents'],
    holds: 'What the user answered to the terms of the site, and when',
    kept: 'Until the user answers again, or is deleted',
  },
  deletion: {
    service: 'identity',
    stores: ['user_deletions'],
    holds: 'A deletion that the user requested, or that was announced because the user no longer logs in',
    kept: 'Until the deletion, or until it is canceled',
  },
  logins: {
    service: 'identity',
    stores: ['login_history'],
    holds: 'When and with which provider the user logged in',
    kept: 'As long as the user exists, unless the site keeps a number of days',
    setting: '`login_history_days` of the site',
  },
  profile: {
    service: 'profile',
    stores: ['profiles'],
    holds: 'The profile, combined from the data of all linked accounts, and whether storing it is prohibited',
    kept: 'Until it is deleted, or the user is deleted',
    setting: '`profile_not_stored` of the site: fields that are not stored',
  },
  provider_data: {
    service: 'profile',
    stores: ['provider_profiles', 'links'],
    holds: 'The profile data that each login provider sent at the latest login',
    kept: 'Until a login replaces it, the account is unlinked, the provider requests the deletion, or the user is deleted',
    setting: '`profile_not_stored` of the site: fields that are not stored',
  },
  friendship: {
    service: 'friendship',
    stores: ['statuses'],
    holds: 'Whether the user is a friend of the official account of the site',
    kept: 'Until the account is unlinked, or the user is deleted',
  },
  credentials: {
    service: 'provider-auth',
    stores: ['credentials'],
    holds: 'Tokens of login providers, encrypted. Only which ones exist is shown',
    kept: 'Until a login replaces them, the account is unlinked, the user revokes the consent, or the user is deleted',
  },
  recipients: {
    service: 'provider-auth',
    stores: ['data_recipients'],
    holds: 'Which applications received data of the user, what and when',
    kept: 'Until the account with which the user logged in is unlinked, or the user is deleted',
  },
  sessions: {
    service: 'provider-auth',
    stores: ['Redis'],
    holds: 'The browsers in which the user is logged in at the site',
    kept: 'An hour after the last use, twelve hours at most; until the user logs out, is blocked or is deleted',
    afterDeletion: 'Twelve hours at most, without effect: a session of a deleted user is rejected when it is used',
  },
  login_log: {
    service: 'console',
    stores: ['logins'],
    holds: 'The latest logins with their result, browser and country, to find the cause of problems',
    kept: '3 days, or as many as the operator sets; also after the user is deleted',
    setting: '`LOGIN_LOG_DAYS`',
    afterDeletion: '3 days, or as many as the operator sets: to find the cause of problems and abuse',
  },
  events: {
    service: 'events',
    stores: ['events', 'users'],
    holds: 'Events about the user, which applications and webhooks receive',
    kept: '30 days, or as many as the operator sets. The data of events of a deleted user is deleted at once',
    setting: '`EVENTS_DAYS`',
  },
  webhook_deliveries: {
    service: 'events',
    stores: ['webhook_deliveries'],
    holds: 'To which endpoints of the customer events about the user were sent, and with which result',
    kept: 'As long as the event',
    setting: '`EVENTS_DAYS`',
    afterDeletion: '30 days, or as many as the operator sets: times and results, without responses of endpoints',
  },
  audit: {
    service: 'console',
    stores: ['audit_entries', 'audit_outcomes'],
    holds: 'What the user did with the own account, which members read or changed data of the user, and when',
    kept: 'For ever: entries of the audit trail cannot be deleted. They have the identifier of the user, and no profile',
    afterDeletion:
      'For ever: it proves who read or changed data, and what the user did. It has the identifier of the user, and no profile',
  },
} as const satisfies Readonly<Record<string, DataKind>>

export type UserDataKind = keyof typeof userDataKinds

/** In the order in which they are shown. */
export const userDataKindNames = Object.keys(userDataKinds) as [UserDataKind, ...UserDataKind[]]
