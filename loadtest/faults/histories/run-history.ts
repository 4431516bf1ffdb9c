import type { FaultSite } from '../site.ts'
import { type CustomerRequest, newIdempotencyKey, repeatWithinMs, send } from './customer.ts'
import type { HistoryInput, HistoryOutput, RecordedOperation, UserId } from './history.ts'
import { type PlannedOperation, planHistory } from './plan.ts'

/** A history whose created users are not all known: an answer of `create_user` can be lost. */
export interface UnresolvedHistory {
  readonly seed: number
  readonly operations: readonly UnresolvedOperation[]
  /** Repeats that got no definite answer in time. */
  readonly unanswered: number
}

export interface UnresolvedOperation extends RecordedOperation {
  /** Of `create_user`, to find the user that it created. */
  readonly idempotencyKey?: string
  /** Milliseconds to the answer. */
  readonly ms: number
}

/** Runs the clients of a history at once, on users of their own. */
export async function runHistory(site: FaultSite, seed: number, tag: string): Promise<UnresolvedHistory> {
  const known: string[] = []
  const operations: UnresolvedOperation[] = []
  let unanswered = 0
  await Promise.all(
    planHistory(seed).map(async (plan, client) => {
      for (const planned of plan) {
        const operation = await perform(site, planned, { client, known, tag })
        operations.push(operation)
        if (planned.patience === 'repeat' && operation.ms > repeatWithinMs) unanswered++
      }
    }),
  )
  return { seed, operations, unanswered }
}

const operationFailed = 3

interface Client {
  readonly client: number
  /** Identifiers that answers named; each operation can add one. */
  readonly known: string[]
  readonly tag: string
}

async function perform(site: FaultSite, planned: PlannedOperation, state: Client): Promise<UnresolvedOperation> {
  const { client, known } = state
  const input = toInput(planned, state)
  const isCreate = input.operation === 'create_user'
  const needsKey = isCreate || (planned.patience !== 'once' && input.operation !== 'user_attribute')
  const idempotencyKey = needsKey ? newIdempotencyKey() : undefined
  const request: CustomerRequest = {
    operation: input.operation,
    parameters: toParameters(input),
    idempotencyKey,
    patience: planned.patience,
  }
  const calledAt = performance.now()
  const answer = await send(site, request)
  const answeredAt = performance.now()
  const base = { client, call: toNanoseconds(calledAt), input, ms: answeredAt - calledAt }
  const key = isCreate && idempotencyKey !== undefined ? { idempotencyKey } : {}
  // An error of 500 and above leaves open what happened.
  if (answer === undefined || answer.code === operationFailed) return { ...base, ...key }
  const { user, ...output } = answer
  if (user !== '' && !known.includes(user)) known.push(user)
  const seen: HistoryOutput = output
  const created = isCreate && user !== '' ? { ...input, user: { identifier: user, primary_key: '' } } : input
  return { ...base, ...key, input: created, return: toNanoseconds(answeredAt), output: seen }
}

function toNanoseconds(ms: number): number {
  return Math.round(ms * 1_000_000)
}

const noUser: UserId = { identifier: '', primary_key: '' }

function toInput(planned: PlannedOperation, { known, tag }: Client): HistoryInput {
  const keyOf = (key: number) => `${tag}-key${key}`
  const name = (user: { readonly key: number } | { readonly known: number }): UserId => {
    if ('key' in user) return { identifier: '', primary_key: keyOf(user.key) }
    // Before the first answer, an identifier that no user has.
    return { identifier: known[user.known % known.length] ?? `${tag}-unknown`, primary_key: '' }
  }
  switch (planned.operation) {
    case 'create_user':
      return {
        operation: planned.operation,
        user: noUser,
        primary_key: planned.key === null ? '' : keyOf(planned.key),
        accounts: Object.fromEntries(
          planned.accounts.map(({ provider, account }) => [provider, `${tag}-account${account}`]),
        ),
      }
    case 'map': {
      const { operation, user, key, overwrite } = planned
      return { operation, user: name(user), primary_key: keyOf(key), overwrite }
    }
    case 'merge_user':
      return { operation: planned.operation, user: name(planned.user), destination: name(planned.destination) }
    case 'dissociate': {
      const { operation, user, provider, nowarn } = planned
      return { operation, user: name(user), provider, nowarn }
    }
    default:
      return { operation: planned.operation, user: name(planned.user) }
  }
}

function toParameters(input: HistoryInput): Record<string, string> {
  const { operation, user, destination, primary_key, accounts = {}, provider, overwrite, nowarn } = input
  const given: Record<string, string> = {
    ...named(operation === 'merge_user' ? 'source_' : '', user),
    ...(destination && named('dest_', destination)),
    ...(primary_key && { primary_key }),
    ...(provider && { target_provider: provider }),
    ...(overwrite && { overwrite: 'true' }),
    ...(nowarn && { nowarn: 'true' }),
    // Profiles are not part of the history.
    ...((operation === 'merge_user' || operation === 'dissociate') && { nomerge: 'true' }),
  }
  for (const [name, account] of Object.entries(accounts)) given[`provider_user_ids[${name}]`] = account
  return given
}

function named(prefix: string, { identifier, primary_key }: UserId): Record<string, string> {
  return identifier === ''
    ? { ...(primary_key && { [`${prefix}primary_key`]: primary_key }) }
    : { [`${prefix}identifier`]: identifier }
}
