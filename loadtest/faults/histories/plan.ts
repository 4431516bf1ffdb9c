import fc from 'fast-check'

/** A user that is named when the operation is sent: by a primary key, or by one of the identifiers known until then. */
type PlannedUser = { readonly key: number } | { readonly known: number }

/** An operation before it is sent. Keys and accounts are numbers within the history. */
export type PlannedOperation = { readonly patience: Patience } & (
  | { readonly operation: 'create_user'; readonly key: number | null; readonly accounts: readonly PlannedAccount[] }
  | { readonly operation: 'user_attribute' | 'unmap' | 'delete_user'; readonly user: PlannedUser }
  | {
      readonly operation: 'map'
      readonly user: { readonly known: number }
      readonly key: number
      readonly overwrite: boolean
    }
  | { readonly operation: 'merge_user'; readonly user: PlannedUser; readonly destination: PlannedUser }
  | {
      readonly operation: 'dissociate'
      readonly user: PlannedUser
      readonly provider: PlannedAccount['provider']
      readonly nowarn: boolean
    }
)

export interface PlannedAccount {
  readonly provider: 'messaging' | 'search'
  readonly account: number
}

/**
 * How long a client waits: until a definite answer, repeating the request with its `Idempotency-Key`; for one answer to a
 * request without a key; or this many milliseconds, after which it never learns the outcome.
 */
export type Patience = 'repeat' | 'once' | number

const clients = 4
const operationsOfEach = 10
const keys = 3
const accountsOfEach = 2
const longestImpatienceMs = 40

const key = fc.nat(keys - 1)
const known = fc.record({ known: fc.nat(1_000) })
const user: fc.Arbitrary<PlannedUser> = fc.oneof(fc.record({ key }), known)
const provider = fc.constantFrom('messaging' as const, 'search' as const)
const account = fc.record({ provider, account: fc.nat(accountsOfEach - 1) })
const patience: fc.Arbitrary<Patience> = fc.oneof(
  { weight: 12, arbitrary: fc.constant('repeat' as const) },
  { weight: 4, arbitrary: fc.constant('once' as const) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: longestImpatienceMs }) },
)

const planned = <T extends object>(weight: number, fields: fc.Arbitrary<T>) => ({
  weight,
  arbitrary: fc.tuple(fields, patience).map(([given, chosen]) => ({ ...given, patience: chosen })),
})

const operation: fc.Arbitrary<PlannedOperation> = fc.oneof(
  planned(
    7,
    fc.record({
      operation: fc.constant('create_user' as const),
      key: fc.option(key),
      accounts: fc.uniqueArray(account, { maxLength: 2, selector: (one) => one.provider }),
    }),
  ),
  planned(7, fc.record({ operation: fc.constant('user_attribute' as const), user })),
  planned(4, fc.record({ operation: fc.constant('map' as const), user: known, key, overwrite: fc.boolean() })),
  planned(2, fc.record({ operation: fc.constant('unmap' as const), user })),
  planned(4, fc.record({ operation: fc.constant('merge_user' as const), user, destination: user })),
  planned(3, fc.record({ operation: fc.constant('dissociate' as const), user, provider, nowarn: fc.boolean() })),
  planned(2, fc.record({ operation: fc.constant('delete_user' as const), user })),
)

const plan = fc.array(fc.array(operation, { minLength: operationsOfEach, maxLength: operationsOfEach }), {
  minLength: clients,
  maxLength: clients,
})

/** The operations of each client, the same for the same seed. */
export function planHistory(seed: number): readonly (readonly PlannedOperation[])[] {
  const [planned] = fc.sample(plan, { seed, numRuns: 1 })
  if (planned === undefined) throw new Error('No plan was generated.')
  return planned
}
