import { setTimeout as delay } from 'node:timers/promises'
import type { Knex } from 'knex'
import type { Counter, Registry } from 'prom-client'
import { createCounter, type Logger } from '#runtime'
import { createLeaseHolder, takeLease } from '../store/leases.ts'

/** Pause between looks for due rows. Our choice. */
const pollMs = 1_000
/** Another replica continues after this time. Our choice: short, because two that do the same step do no harm. */
const leaseSeconds = 5

export interface DueSteps<Row> {
  /** Name of the lease, and of the rows in log lines and metrics. */
  readonly name: 'bulk-changes' | 'site-deletions' | 'site-moves'
  readonly knex: Knex
  readonly logger: Logger
  readonly registry: Registry
  /** The row whose next step is due for the longest time. */
  readonly findDue: () => Promise<Row | undefined>
  /** Does the next step of a row. Another replica can do the same step at the same time, and a step that a crash interrupts is repeated. */
  readonly runStep: (row: Row) => Promise<void>
  /** Logs the error of a step, and plans another attempt. */
  readonly postpone: (row: Row, error: unknown) => Promise<void>
}

/** Does due steps of rows, one after the other, in one replica at a time, until disposed. */
export function startDueSteps<Row>(steps: DueSteps<Row>): AsyncDisposable {
  const { name, logger, registry } = steps
  const stepsTotal = createCounter(registry, 'sociallogin_console_steps_total')
  const holder = createLeaseHolder()
  const stopping = new AbortController()
  const work = async () => {
    while (!stopping.signal.aborted) {
      const hasWorked = await takeStep(steps, holder, stepsTotal).catch((error: unknown) => {
        logger.warn({ error }, `${name} not read; retrying`)
        return false
      })
      if (!hasWorked) await delay(pollMs, undefined, { signal: stopping.signal, ref: false }).catch(() => {})
    }
  }
  const working = work()
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await working
    },
  }
}

async function takeStep<Row>(
  { name, knex, findDue, runStep, postpone }: DueSteps<Row>,
  holder: string,
  stepsTotal: Counter<'work' | 'result'>,
): Promise<boolean> {
  const due = await findDue()
  if (due === undefined) return false
  if (!(await takeLease(knex, { name, holder, seconds: leaseSeconds }))) return false
  try {
    await runStep(due)
    stepsTotal.inc({ work: name, result: 'ok' })
  } catch (error) {
    stepsTotal.inc({ work: name, result: 'failed' })
    await postpone(due, error)
  }
  return true
}
