import type { z } from 'zod'
import type { availabilityNotice, Contract } from '#contracts'
import type { Logger, Readiness } from '#runtime'
import type { Bus } from './connect.ts'
import { parseMessage, subjectOf } from './messages.ts'

type NoticeOf<C extends Contract> = keyof C['notices'] & string

/** Publishes a notice to all subscribers. It is lost while the connection is down, so subscribers must also poll. */
export function publishNotice<C extends Contract, K extends NoticeOf<C>>(
  bus: Bus,
  contract: C,
  notice: K,
  payload: z.input<C['notices'][K]['payload']>,
): void {
  bus.connection.publish(subjectOf(contract.service, notice), JSON.stringify(payload))
}

const readinessCheckMs = 1_000

/** Publishes `available` each time this process becomes ready. */
export function announceAvailability(
  bus: Bus,
  contract: Contract<Contract['procedures'], typeof availabilityNotice>,
  readiness: Pick<Readiness, 'missing'>,
): Disposable {
  let wasReady = false
  const check = () => {
    const ready = readiness.missing().length === 0
    if (ready && !wasReady) publishNotice(bus, contract, 'available', {})
    wasReady = ready
  }
  const timer = setInterval(check, readinessCheckMs).unref()
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

/** Calls `react` each time a replica of one of the services becomes ready. */
export function onAvailability(
  bus: Bus,
  contracts: readonly Contract<Contract['procedures'], typeof availabilityNotice>[],
  react: () => Promise<void>,
  logger: Logger,
): Disposable {
  const stack = new DisposableStack()
  const start = () =>
    void react().catch((error: unknown) => logger.warn({ error }, 'not repeated; jobs repeat it later'))
  for (const contract of contracts) stack.use(subscribeNotice(bus, contract, 'available', start, logger))
  return stack
}

/** Subscribes to a notice, in every replica. Malformed notices are logged and discarded. */
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
      let payload: unknown
      try {
        payload = parseMessage(schema, message)
      } catch (malformed) {
        return logger.error({ error: malformed, notice: subject }, 'malformed notice')
      }
      // Parsed with the schema of this notice.
      react(payload as z.output<C['notices'][K]['payload']>)
    },
  })
  return { [Symbol.dispose]: () => subscription.unsubscribe() }
}
