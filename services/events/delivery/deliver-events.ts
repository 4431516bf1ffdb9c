import type { Knex } from 'knex'
import type { ProviderNames, StreamEvent, WebhookAttempt } from '#contracts'
import { type PersonalData, transaction } from '#database'
import type { Encryptor } from '#runtime'
import { type AttemptOutcome, createWebhookSigner, type SignWebhook, type WebhookSender } from '#webhooks'
import { findRetryPause } from '../domain/retry-schedule.ts'
import { toWebhookBody } from '../domain/webhook-body.ts'
import { selectEvents } from '../store/events.ts'
import { findStream, shareStream } from '../store/streams.ts'
import {
  type DeliveryResult,
  type DueDelivery,
  listDueDeliveries,
  listWaitingUsers,
  releaseNextDeliveries,
  storeDeliveries,
  storeProgress,
} from '../store/webhook-deliveries.ts'
import type { EndpointKey } from '../store/webhook-endpoints.ts'
import { findLeasedEndpoint, type LeasedEndpoint, lockLeasedEndpoint } from '../store/webhook-leases.ts'
import { decryptSecrets } from './secrets.ts'

/** Events that are sent between two commits. Our choice. */
const batchSize = 100
/** Events that a batch for some types looks at. Our choice: some 50 ms. */
const searched = 50_000
/** Requests to an endpoint at the same time. Our choice. */
const concurrency = 10
/** An endpoint with so many waiting deliveries gets no new events until some of them have ended. Our choice. */
const maximumWaiting = 1_000
/** The newest attempts that are stored of a delivery. Our choice. */
const storedAttempts = 20

export interface DeliveryDeps {
  readonly knex: Knex
  /** Decrypts `events.data`. */
  readonly eventData: PersonalData
  readonly encryptor: Pick<Encryptor, 'decrypt'>
  readonly sender: WebhookSender
  /** The wire names of providers. */
  readonly names: ProviderNames
  /** Names this replica in leases. */
  readonly lease: string
  readonly recordAttempt: (outcome: AttemptOutcome, event: StreamEvent) => void
}

/** What was read for one batch. */
interface Batch {
  readonly endpoint: LeasedEndpoint
  /** The numbering of the events. */
  readonly stream: string
  readonly due: readonly DueDelivery[]
  readonly events: readonly StreamEvent[]
  /** Users whose new events wait for earlier deliveries. */
  readonly waitingUsers: ReadonlySet<string>
  /** Events up to this number are then in the deliveries. */
  readonly sequence: number
}

/**
 * Sends a batch of events to a leased endpoint, and then stores the results: an event whose result was not stored, because this
 * process ended, is sent again.
 *
 * @returns false if there was nothing to do, or the endpoint is no longer leased
 */
export async function deliverBatch(key: EndpointKey, deps: DeliveryDeps, stopping: AbortSignal): Promise<boolean> {
  const batch = await readBatch(key, deps)
  if (batch === undefined) return false
  const { endpoint, due, events, sequence } = batch
  if (due.length === 0 && sequence === endpoint.sequence) return false
  const sign = createWebhookSigner(await decryptSecrets(endpoint, deps.encryptor))
  const outcomes = await sendBatch(batch, sign, deps)
  // Attempts that the end of this process aborted do not count.
  if (stopping.aborted) return false
  const results = [...due, ...events.map((event) => ({ event, attempts: [], tries: 0 }))].map((delivery) =>
    toResult(delivery, outcomes.get(delivery.event.sequence)),
  )
  return storeResults(batch, results, [...outcomes.values()], deps)
}

async function readBatch(key: EndpointKey, { knex, eventData, lease }: DeliveryDeps): Promise<Batch | undefined> {
  const endpoint = await findLeasedEndpoint(knex, key, lease)
  const stream = await findStream(knex, key.site)
  if (endpoint === undefined || stream === undefined) return undefined
  const due = await listDueDeliveries(knex, eventData, endpoint, batchSize)
  if (endpoint.waiting >= maximumWaiting)
    return { endpoint, stream: stream.stream, due, events: [], waitingUsers: new Set(), sequence: endpoint.sequence }
  const { types, sequence: from } = endpoint
  const to = types === null ? stream.last_sequence : Math.min(stream.last_sequence, from + searched)
  const filter = { site: key.site, from, to, types: types ?? undefined, identifier: undefined }
  const events = await selectEvents(knex, eventData, filter, batchSize)
  const isComplete = events.length < batchSize
  const identifiers = endpoint.ordered ? events.map(({ user }) => user.identifier) : []
  return {
    endpoint,
    stream: stream.stream,
    due,
    events,
    waitingUsers: await listWaitingUsers(knex, endpoint, identifiers),
    sequence: isComplete ? to : (events.at(-1)?.sequence ?? to),
  }
}

/** Makes one attempt for each delivery of a batch that need not wait. @returns the outcomes by sequence number */
async function sendBatch(
  { endpoint, stream, due, events, waitingUsers }: Batch,
  sign: SignWebhook,
  { sender, names, recordAttempt }: DeliveryDeps,
): Promise<ReadonlyMap<number, AttemptOutcome>> {
  const outcomes = new Map<number, AttemptOutcome>()
  const { account, site_id } = endpoint
  const context = { account, site_id, stream, names }
  const ready = events.filter(({ user }) => !waitingUsers.has(user.identifier))
  const chains = [
    ...due.map(({ event }) => [event]),
    ...(endpoint.ordered ? Map.groupBy(ready, ({ user }) => user.identifier).values() : ready.map((event) => [event])),
  ]
  const queue = chains.values()
  const sendChains = async () => {
    for (const chain of queue) {
      for (const event of chain) {
        const outcome = await sender.send(endpoint.url, { id: event.id, body: toWebhookBody(event, context) }, sign)
        outcomes.set(event.sequence, outcome)
        recordAttempt(outcome, event)
        if (!outcome.isDelivered) break
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, chains.length) }, sendChains))
  return outcomes
}

/** @param outcome undefined if the delivery waits for an earlier one of its user */
function toResult({ event, attempts, tries }: DueDelivery, outcome: AttemptOutcome | undefined): DeliveryResult {
  const { sequence, user } = event
  const result = { sequence, identifier: user.identifier }
  if (outcome === undefined) return { ...result, status: 'waiting', attempts, tries, pauseSeconds: null }
  const { attempt, isDelivered, retryAfterSeconds } = outcome
  const made = { attempts: [...attempts, attempt].slice(-storedAttempts), tries: tries + 1 }
  if (isDelivered) return { ...result, ...made, status: 'delivered', pauseSeconds: null }
  const pauseSeconds = findRetryPause(made.tries, { retryAfterSeconds }) ?? null
  return { ...result, ...made, status: pauseSeconds === null ? 'failed' : 'waiting', pauseSeconds }
}

/** @returns false if another replica has the endpoint meanwhile: then it sends the events again */
async function storeResults(
  { endpoint, sequence }: Batch,
  results: readonly DeliveryResult[],
  outcomes: readonly AttemptOutcome[],
  { knex, lease }: DeliveryDeps,
): Promise<boolean> {
  const hasDelivered = outcomes.some(({ isDelivered }) => isDelivered)
  const failed = results.filter(({ status }) => status === 'failed')
  const isGone = outcomes.some(({ attempt }) => attempt.status === 410)
  const isFailing =
    !hasDelivered && failed.some(({ attempts: [first] }) => hasFailedSince(endpoint.failing_since, first))
  const pausedBecause = isGone ? 'gone' : isFailing ? 'failing' : null
  const ended = results.flatMap(({ status, identifier }) => (status === 'waiting' ? [] : [identifier]))
  return transaction(knex, async (trx) => {
    // Before the endpoint, as when endpoints are created.
    await shareStream(trx, endpoint.site)
    if (!(await lockLeasedEndpoint(trx, endpoint, lease))) return false
    await storeDeliveries(trx, endpoint, results)
    if (endpoint.ordered) await releaseNextDeliveries(trx, endpoint, [...new Set(ended)])
    const hasFailed = outcomes.some(({ isDelivered }) => !isDelivered)
    await storeProgress(trx, endpoint, { sequence, hasDelivered, hasFailed, pausedBecause })
    return true
  })
}

/** Whether every attempt since then failed. */
function hasFailedSince(failingSince: Date | null, first: WebhookAttempt | undefined): boolean {
  return failingSince !== null && first !== undefined && failingSince.getTime() <= Date.parse(first.at) + 1_000
}
