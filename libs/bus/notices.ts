import type { z } from 'zod'
import type { Contract } from '#contracts'
import type { Logger } from '#runtime'
import type { Bus } from './connect.ts'
import { subjectOf } from './messages.ts'

type NoticeOf<C extends Contract> = keyof C['notices'] & string

/** Tells everyone who listens; lost when the connection is away, so a notice only ever says "look again". */
export function publishNotice<C extends Contract, K extends NoticeOf<C>>(
  bus: Bus,
  contract: C,
  notice: K,
  payload: z.input<C['notices'][K]['payload']>,
): void {
  bus.connection.publish(subjectOf(contract.service, notice), JSON.stringify(payload))
}

/** Hears a notice in every replica. Malformed ones are logged and dropped. */
export function subscribeNotice<C extends Contract, K extends NoticeOf<C>>(
  bus: Bus,
  contract: C,
  notice: K,
  react: (payload: z.output<C['notices'][K]['payload']>) => void,
  logger: Logger,
): Disposable {
  const subject = subjectOf(contract.service, notice)
  const schema = contract.notices[notice]?.payload
  if (schema === undefined) throw new Error(`${subject} is not in the contract.`)
  const subscription = bus.connection.subscribe(subject, {
    callback(error, message) {
      if (error) return logger.error({ error, notice: subject }, 'subscription failed')
      const parsed = schema.safeParse(message.json())
      if (!parsed.success) return logger.error({ error: parsed.error, notice: subject }, 'malformed notice')
      // Parsed by this very notice's schema.
      react(parsed.data as z.output<C['notices'][K]['payload']>)
    },
  })
  return { [Symbol.dispose]: () => subscription.unsubscribe() }
}
