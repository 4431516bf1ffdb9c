import fc from 'fast-check'
import type { Provider } from '#contracts'

/** One step of a random history. Users are numbered in the order of their creation, including deleted ones. */
export type Step =
  | { do: 'create'; primary_key: string | null; accounts: StepAccount[] }
  | { do: 'map'; user: number; primary_key: string; overwrite: boolean }
  | { do: 'unmap' | 'remove'; user: number }
  | { do: 'link'; user: number; account: StepAccount }
  | { do: 'unlink'; user: number; providers: Provider[]; nowarn: boolean }
  | { do: 'merge'; user: number; into: number }
  | { do: 'login'; account: StepAccount }
export interface StepAccount {
  readonly provider: Provider
  readonly provider_user_id: string
}

// Few of each, so that steps conflict.
const providers: Provider[] = ['messaging', 'search', 'search_legacy', 'portal']
const user = fc.nat({ max: 5 })
const primaryKey = fc.constantFrom('p', 'q', 'r')
const providerUserId = fc.constantFrom('x', 'y', 'z')
const accountAt = (names: Provider[]) =>
  fc.record({ provider: fc.constantFrom(...names), provider_user_id: providerUserId })
const account = accountAt(providers)
const accounts = fc.uniqueArray(account, { maxLength: 3, selector: ({ provider }) => provider })
const several = fc.uniqueArray(fc.constantFrom(...providers), { minLength: 1, maxLength: 2 })

const as = <D extends string>(name: D) => fc.constant(name)
export const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: as('create'), primary_key: fc.option(primaryKey), accounts }) },
  { weight: 2, arbitrary: fc.record({ do: as('map'), user, primary_key: primaryKey, overwrite: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('unmap' as const, 'remove' as const), user }) },
  { weight: 3, arbitrary: fc.record({ do: as('link'), user, account }) },
  { weight: 2, arbitrary: fc.record({ do: as('unlink'), user, providers: several, nowarn: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ do: as('merge'), user, into: user }) },
  // New logins use search, even if the account is linked as search_legacy.
  { weight: 3, arbitrary: fc.record({ do: as('login'), account: accountAt(['messaging', 'search', 'portal']) }) },
)
