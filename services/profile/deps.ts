import type { Knex } from 'knex'
import type { Handlers } from '#bus'
import type { ProviderData, profileContract } from '#contracts'
import type { ProfileKey, ProfileRow } from './store/profiles.ts'

/** The dependencies of handlers. Look-ups of one turn of the event loop share one statement. */
export interface Deps {
  readonly knex: Knex
  readonly findProfile: (user: ProfileKey) => Promise<ProfileRow | undefined>
  readonly findProviderData: (linkId: string) => Promise<ProviderData | undefined>
  readonly findProhibition: (user: ProfileKey) => Promise<boolean | undefined>
}

export type ProfileHandlers = Handlers<typeof profileContract, Deps>
