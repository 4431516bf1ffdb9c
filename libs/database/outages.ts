import { Fault } from '#contracts'

/** Codes of Node's sockets and of Postgres that say "not now": refused, cut, shutting down, too busy, timed out. */
const passingCodes =
  /^(ECONN(REFUSED|RESET)|EPIPE|ETIMEDOUT|E(HOST|NET)UNREACH|ENOTFOUND|EAI_AGAIN|08...|57P0[1-3]|57014|53300|55P03)$/

/** What pg, after the statement, and knex say without a code when a connection is lost or none is to be had. */
const passingMessages =
  /(^| - )(Connection terminated|Client has encountered a connection error|Knex: Timeout acquiring)/

/** Whether an error says that Postgres is away or overloaded, so that the same may succeed later. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code: unknown = Reflect.get(error, 'code')
  return typeof code === 'string' ? passingCodes.test(code) : passingMessages.test(error.message)
}

type Handler = (...given: never[]) => Promise<unknown>

/** The same handlers, which refuse with `unavailable` while Postgres is away; a write then may or may not have happened. */
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
  // Each name still stands for a function of the same input and answer.
  return Object.fromEntries(guarded) as H
}
