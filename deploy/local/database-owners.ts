import type { Migration } from '#database'
import { migrations as consoleMigrations } from '../../services/console/migrations/index.ts'
import { migrations as events } from '../../services/events/migrations/index.ts'
import { migrations as friendship } from '../../services/friendship/migrations/index.ts'
import { migrations as identity } from '../../services/identity/migrations/index.ts'
import { migrations as profile } from '../../services/profile/migrations/index.ts'
import { migrations as providerAuth } from '../../services/provider-auth/migrations/index.ts'

/** A service that owns a database: the name of the database and of its role, and the list that shapes it. */
export interface DatabaseOwner {
  readonly name: string
  readonly database: string
  readonly migrations: readonly Migration[]
}

export const databaseOwners: readonly DatabaseOwner[] = [
  { name: 'identity', database: 'identity', migrations: identity },
  { name: 'profile', database: 'profile', migrations: profile },
  { name: 'provider-auth', database: 'provider_auth', migrations: providerAuth },
  { name: 'friendship', database: 'friendship', migrations: friendship },
  { name: 'events', database: 'events', migrations: events },
  { name: 'console', database: 'console', migrations: consoleMigrations },
]
