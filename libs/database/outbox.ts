import type { Knex } from 'knex'
import { z } from 'zod'
import type { Encryptor, Logger } from '#runtime'
import { decryptPayload, encryptPayload } from './encrypted-payload.ts'
import type { Task } from './job-worker.ts'
import { enqueueJobs, findJobs, removeJobs } from './jobs.ts'

/** A procedure of another service. It can be called twice, late or out of order. */
export interface Recipient<I, C> {
  readonly input: z.ZodType<unknown, I>
  /** @param payload from the database; it is parsed */
  readonly deliver: (payload: unknown, call: C) => Promise<void>
}

export function defineRecipient<I, O, C>(
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

/** A call of a recipient, caused by a change. */
export type OutboxMessage<R> = {
  [K in keyof R & string]: {
    readonly to: K
    readonly input: R[K] extends Recipient<infer I, never> ? I : never
    /** Unique to this message: a second message with the same key replaces the first. */
    readonly key: string
    /** A job sends the message right after the commit, because the process that stores it does not. */
    readonly immediate?: true
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

/** A transactional outbox: messages to other services are stored in the transaction of the change that causes them. */
export interface Outbox<R> {
  /** Stores messages in the transaction of the change. */
  readonly enqueue: (trx: Knex.Transaction, messages: readonly OutboxMessage<R>[]) => Promise<void>
  /** The messages of these keys that are stored and not known to be delivered, so that a repeated command can send them as well. */
  readonly findStored: (trx: Knex.Transaction, keys: readonly string[]) => Promise<OutboxMessage<R>[]>
  /**
   * Sends stored messages immediately after the commit. If sending fails, a job sends the message again.
   *
   * @param limits `withinMs` is the caller's remaining time, of which at least `replyMs` are reserved for the reply
   * @returns the messages that jobs will send
   */
  readonly send: (messages: readonly OutboxMessage<R>[], limits: CallLimits) => Promise<OutboxMessage<R>[]>
  /** For `startJobWorker`. */
  readonly tasks: Readonly<Record<string, Task>>
}

/**
 * How long a caller waits for the recipients at most: this share of its time, or `leastSendMs` if that is more. `replyMs` are
 * reserved for the reply to it. Our choice.
 */
const sendShare = 0.4
const leastSendMs = 2_000
const replyMs = 500
/** How long a job waits for its recipient. Our choice. */
const jobTimeoutMs = 10_000

export function createOutbox<C, R extends { readonly [K in keyof R]: Recipient<unknown, C> }>({
  recipients,
  newCall,
  knex,
  encryptor,
  logger,
}: OutboxOptions<R, C>): Outbox<R> {
  const toPayload = ({ key, input }: OutboxMessage<R>) => {
    return encryptor === undefined ? { input } : encryptPayload(encryptor, key, input)
  }
  const readInput = async (payload: unknown): Promise<unknown> => {
    if (encryptor === undefined) return z.object({ input: z.unknown() }).parse(payload).input
    return decryptPayload(encryptor, payload)
  }
  return {
    async enqueue(trx, messages) {
      const toJob = (message: OutboxMessage<R>) => {
        const { to, key, immediate } = message
        return { task: to, key, payload: toPayload(message), ...(immediate && { immediate }) }
      }
      await enqueueJobs(trx, messages.map(toJob))
    },
    async findStored(trx, keys) {
      const jobs = await findJobs(trx, keys)
      const toMessage = async ({ task, key, payload }: (typeof jobs)[number]) =>
        // `enqueue` stored it from such a message; its recipient parses the input.
        ({ to: task, input: await readInput(payload), key }) as OutboxMessage<R>
      return Promise.all(jobs.map(toMessage))
    },
    async send(messages, { request_id, withinMs }) {
      const sendMs = Math.max(leastSendMs, sendShare * withinMs)
      const limits = { ...(request_id && { request_id }), withinMs: Math.min(sendMs, withinMs - replyMs) }
      const sent = messages.map(async ({ to, input }) => {
        try {
          await recipients[to].deliver(input, newCall(limits))
          return true
        } catch (error) {
          logger.warn({ error, to, request_id }, 'message not delivered; its job sends it again')
          return false
        }
      })
      const results = await Promise.all(sent)
      const delivered = messages.filter((_, index) => results[index])
      await removeJobs(
        knex,
        delivered.map(({ key }) => key),
      ).catch((error: unknown) =>
        logger.warn({ error, request_id }, 'jobs of delivered messages not removed; they send the messages again'),
      )
      return messages.filter((_, index) => !results[index])
    },
    tasks: Object.fromEntries(
      Object.entries<Recipient<unknown, C>>(recipients).map(([to, { deliver }]): [string, Task] => [
        to,
        async (payload) => deliver(await readInput(payload), newCall({ withinMs: jobTimeoutMs })),
      ]),
    ),
  }
}
