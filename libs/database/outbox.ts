import type { Knex } from 'knex'
import { z } from 'zod'
import type { EncryptionContext, Encryptor, Logger } from '#runtime'
import { enqueueJob, removeJob, type Task } from './jobs.ts'

/** A procedure of another service; it may be called twice, late or out of order. */
export interface Recipient<I, C> {
  readonly input: z.ZodType<unknown, I>
  /** @param payload out of the database, so it is parsed */
  readonly deliver: (payload: unknown, call: C) => Promise<void>
}

export function recipient<I, O, C>(
  input: z.ZodType<O, I>,
  call: (input: O, call: C) => Promise<unknown>,
): Recipient<I, C> {
  return {
    input,
    async deliver(payload, context) {
      await call(input.parse(payload), context)
    },
  }
}

/** A call of a recipient that a change makes necessary. */
export type OutboxMessage<R> = {
  [K in keyof R & string]: {
    readonly to: K
    readonly input: R[K] extends Recipient<infer I, never> ? I : never
    /** Unique to this message: a second message with the same key replaces the first. */
    readonly key: string
  }
}[keyof R & string]

interface CallLimits {
  readonly request_id?: string
  readonly withinMs: number
}

interface OutboxOptions<R, C> {
  readonly recipients: R
  readonly newCall: (limits: CallLimits) => C
  readonly knex: Knex
  /** Encrypts stored messages, where they contain personal data. */
  readonly encryptor?: Pick<Encryptor, 'encrypt' | 'decrypt'>
  readonly logger: Logger
}

/** Messages to other services that are stored with the change that makes them necessary (transactional outbox). */
export interface Outbox<R> {
  /** Stores messages in the transaction of the change. */
  readonly enqueue: (trx: Knex.Transaction, messages: readonly OutboxMessage<R>[]) => Promise<void>
  /**
   * Sends stored messages at once, after the commit. A message that fails is sent again by a job.
   *
   * @param limits `withinMs` is what the caller has left; at least `answer_ms` of it stays
   * @returns the messages that are left to jobs
   */
  readonly send: (messages: readonly OutboxMessage<R>[], limits: CallLimits) => Promise<OutboxMessage<R>[]>
  /** For `startJobs`. */
  readonly tasks: Readonly<Record<string, Task>>
}

/** How long a caller waits for the recipients at most, and what of its time is left to answer it. Our choice. */
const sendMs = 2_000
const answerMs = 500
/** How long a job waits for its recipient. Our choice. */
const jobMs = 10_000

const Encrypted = z.object({ key: z.string(), encrypted: z.base64() })

export function createOutbox<C, R extends { readonly [K in keyof R]: Recipient<unknown, C> }>({
  recipients,
  newCall,
  knex,
  encryptor,
  logger,
}: OutboxOptions<R, C>): Outbox<R> {
  const payloadOf = ({ key, input }: OutboxMessage<R>) => {
    if (encryptor === undefined) return { input }
    return { key, encrypted: encryptor.encrypt(JSON.stringify(input), placeOf(key)).toString('base64') }
  }
  const inputOf = async (payload: unknown): Promise<unknown> => {
    if (encryptor === undefined) return z.object({ input: z.unknown() }).parse(payload).input
    const { key, encrypted } = Encrypted.parse(payload)
    return JSON.parse(await encryptor.decrypt(Buffer.from(encrypted, 'base64'), placeOf(key)))
  }
  return {
    async enqueue(trx, messages) {
      for (const message of messages)
        await enqueueJob(trx, { task: message.to, key: message.key, payload: payloadOf(message) })
    },
    async send(messages, { request_id, withinMs }) {
      const limits = { ...(request_id && { request_id }), withinMs: Math.min(sendMs, withinMs - answerMs) }
      const sent = messages.map(async ({ to, input, key }) => {
        try {
          await recipients[to].deliver(input, newCall(limits))
        } catch (error) {
          logger.warn({ error, to, request_id }, 'A message was not delivered; its job sends it again.')
          return false
        }
        await removeJob(knex, key).catch((error: unknown) =>
          logger.warn({ error, to, request_id }, 'A message was delivered; its job sends it once more.'),
        )
        return true
      })
      const delivered = await Promise.all(sent)
      return messages.filter((_, index) => !delivered[index])
    },
    tasks: Object.fromEntries(
      Object.entries<Recipient<unknown, C>>(recipients).map(([to, { deliver }]): [string, Task] => [
        to,
        async (payload) => deliver(await inputOf(payload), newCall({ withinMs: jobMs })),
      ]),
    ),
  }
}

function placeOf(key: string): EncryptionContext {
  return ['jobs', key]
}
