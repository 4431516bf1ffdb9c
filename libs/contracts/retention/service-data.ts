import { type DataKind, type DataService, dataServices } from './data-kind.ts'

/** Tables that several services have, of the same form. */
function ofEach(services: readonly DataService[], kind: Omit<DataKind, 'service'>): DataKind[] {
  return services.map((service) => ({ service, ...kind }))
}

const producers: readonly DataService[] = ['identity', 'profile', 'provider-auth', 'friendship']

/** What services need to survive crashes, to repeat work and to update themselves. */
export const serviceData: readonly DataKind[] = [
  ...ofEach(['identity', 'profile'], {
    stores: ['commands'],
    holds: 'IDs of changes that took effect, so that a repeat has no further effect',
    kept: 'A day: as long as a request can be repeated',
  }),
  ...ofEach(['identity', 'profile'], {
    stores: ['jobs'],
    holds: 'Work for other services that waits: IDs',
    kept: 'Until it is done',
  }),
  {
    service: 'provider-auth',
    stores: ['jobs'],
    holds: 'Work for other services and login providers that waits: IDs, and tokens to revoke, encrypted',
    kept: 'Until it is done; a revocation is given up after three days',
    afterDeletion: 'Three days at most: revocations of tokens that wait for a login provider',
  },
  ...ofEach(producers, {
    stores: ['pending_events', 'event_relay'],
    holds: 'Events that are not in the stream yet, with the **data of the user**',
    kept: 'Seconds, until they are in the stream',
  }),
  ...ofEach(['profile', 'provider-auth', 'friendship'], {
    stores: ['deleted_link_data'],
    holds: 'IDs of linked accounts that were deleted, so that a delayed message stores nothing again',
    kept: 'For ever, until the site is deleted; they name no user',
  }),
  {
    service: 'provider-auth',
    stores: ['Redis'],
    holds:
      'Logins that wait until the user answers to the terms of the site, encrypted: IDs and **claims of the user**',
    kept: 'Until the user has answered, half an hour at most',
  },
  ...ofEach(['identity', 'profile', 'provider-auth', 'friendship', 'events'], {
    stores: ['frozen_sites', 'site_copies', 'site_copy_ranges'],
    holds: 'How far a site that moves here is copied: **keys of rows**, such as identifiers of users, and digests',
    kept: 'Until the move ends; that a site was frozen until the site is deleted',
  }),
  {
    service: 'console',
    stores: ['site_moves'],
    holds:
      'Moves of sites to other cells and their progress; the token of the other cell, encrypted, until the move ends',
    kept: 'For ever',
  },
  ...ofEach(dataServices, {
    stores: ['site_deletions', 'migrations', 'migrations_lock'],
    holds: 'Numbers of deleted sites and rows; the state of the schema',
    kept: 'For ever',
  }),
]
