import type { Knex } from 'knex'
import type { Handlers } from '#bus'
import type { ProviderData, profile } from '#contracts'
import type { ProfileRow, UserKey } from './store/profiles.ts'

/** The dependencies of handlers. Look-ups of one turn of the event loop share one statement. */
export interface Deps {
  readonly knex: Knex
  readonly findProfile: (user: UserKey) => Promise<ProfileRow | undefined>
  readonly findProviderData: (linkId: string) => Promise<ProviderData | undefined>
  readonly findProhibition: (user: UserKey) => Promise<boolean | undefined>
}

export type ProfileHandlers = Handlers<typeof profile, Deps>
