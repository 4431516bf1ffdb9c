import { Fault } from '#contracts'

/**
 * Transient error codes of Node's sockets, and of Postgres: disconnected, read-only after a failover, conflict (retried before),
 * too busy or disk full, lock or statement timed out, shutting down, input or output failed, a site that moves to another cell
 * (`site-freeze.ts`).
 */
const transientCodes =
  /^(ECONN(REFUSED|RESET)|EPIPE|ETIMEDOUT|E(HOST|NET)UNREACH|ENOTFOUND|EAI_AGAIN|08...|25006|40...|53...|55P03|57014|57P0[1-5]|58...|SLFRZ)$/

/** Messages of pg (after the statement) and knex, without a code, for lost or unavailable connections. */
const transientMessages =
  /(^| - )(Connection terminated|timeout expired|Query read timeout|Client has encountered a connection error|Knex: Timeout acquiring)/

/** Whether an error means that Postgres is unavailable or overloaded, or that a site is frozen, so that a retry can succeed. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code: unknown = Reflect.get(error, 'code')
  return typeof code === 'string' ? transientCodes.test(code) : transientMessages.test(error.message)
}

type Handler = (...given: never[]) => Promise<unknown>

/** Wraps handlers to throw `unavailable` while Postgres is unavailable. A write may or may not have happened. */
export function translateOutages<H extends Readonly<Record<string, Handler>>>(handlers: H): H {
  const guarded = Object.entries(handlers).map(([name, handler]): [string, Handler] => [
    name,
    async (...given) => {
      try {
        return await handler(...given)
      } catch (error) {
        throw isDatabaseUnavailable(error) ? new Fault('unavailable', { cause: error }) : error
      }
    },
  ])
  // Each name maps to a function of the same type.
  return Object.fromEntries(guarded) as H
}
