import { z } from 'zod'
import type { Procedure } from '../define.ts'
import { Link, User } from '../objects/user.ts'
import { Provider } from '../providers.ts'
import { Identifier, LinkId, PreciseTimestamp, ProviderUserId, Site } from '../scalars.ts'
import { ageMs, byEndUser, command, named } from './users.ts'

/** Accounts of end users at login providers, and their links to users. */
export const accountProcedures = {
  /**
   * The user with a linked provider account, and the link: under that provider or, as search and search_legacy share
   * their accounts, under the other one.
   */
  findAccountHolder: {
    input: z.object({ site: Site, provider: Provider, provider_user_id: ProviderUserId }),
    output: z.object({ holder: z.object({ identifier: Identifier, link_id: LinkId }).nullable() }),
    faults: [],
    repeatable: true,
  },
  /** Whether a user of the site has an account of the provider. */
  isProviderLinked: {
    input: z.object({ site: Site, provider: Provider }),
    output: z.object({ is_linked: z.boolean() }),
    faults: [],
    repeatable: true,
  },
  /**
   * Links one more account to a user, at the request of the end user, if it is not linked already. search and search_legacy count as one provider.
   * `recorded_at`: see `recordLogin`. `entity_not_found`: also for a repeat whose account is unlinked meanwhile.
   */
  linkAccount: {
    input: z.object({
      site: Site,
      identifier: Identifier,
      provider: Provider,
      provider_user_id: ProviderUserId,
      age_ms: ageMs,
      command,
    }),
    output: z.object({ user: User, link: Link, recorded_at: PreciseTimestamp }),
    /**
     * `provider_already_linked`: the user has another account of the provider; checked before `invalid_parameter`: the
     * account belongs to another user.
     */
    faults: ['entity_not_found', 'provider_already_linked', 'invalid_parameter', 'user_blocked'],
    repeatable: true,
  },
  /** Unlinks all given providers or, if one of them is not linked, none. Their data is deleted in all services. */
  unlinkProviders: {
    input: z.object({
      ...named,
      providers: z.array(Provider).min(1),
      /** Unlink even if no provider remains. */
      nowarn: z.boolean(),
      /** Leave the combined profile unchanged. */
      nomerge: z.boolean(),
      by_end_user: byEndUser,
      command,
    }),
    output: z.object({ unlinked: z.array(Provider) }),
    /** `operation_failed`: unlinked, but the profile is recombined later. */
    faults: ['entity_not_found', 'invalid_parameter', 'provider_not_linked', 'last_provider', 'operation_failed'],
    repeatable: true,
  },
} as const satisfies Record<string, Procedure>
