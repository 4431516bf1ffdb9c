import type { Distribution, Migration } from '#database'
import { migrations as consoleMigrations } from '../../services/console/migrations/index.ts'
import { migrations as events, eventsDistribution } from '../../services/events/migrations/index.ts'
import { migrations as friendship, friendshipDistribution } from '../../services/friendship/migrations/index.ts'
import { migrations as identity, identityDistribution } from '../../services/identity/migrations/index.ts'
import { migrations as profile, profileDistribution } from '../../services/profile/migrations/index.ts'
import { migrations as providerAuth, providerAuthDistribution } from '../../services/provider-auth/migrations/index.ts'

/** A service that owns a database: the name of the database and of its role, and the list that shapes it. */
export interface DatabaseOwner {
  readonly name: string
  readonly database: string
  readonly migrations: readonly Migration[]
  /** How its tables are distributed by site; undefined: not at all. */
  readonly distribution?: Distribution
}

export const databaseOwners: readonly DatabaseOwner[] = [
  { name: 'identity', database: 'identity', migrations: identity, distribution: identityDistribution },
  { name: 'profile', database: 'profile', migrations: profile, distribution: profileDistribution },
  {
    name: 'provider-auth',
    database: 'provider_auth',
    migrations: providerAuth,
    distribution: providerAuthDistribution,
  },
  { name: 'friendship', database: 'friendship', migrations: friendship, distribution: friendshipDistribution },
  { name: 'events', database: 'events', migrations: events, distribution: eventsDistribution },
  // It has no data of end users except exports and the records of requests, which it deletes after days.
  { name: 'console', database: 'console', migrations: consoleMigrations },
]
