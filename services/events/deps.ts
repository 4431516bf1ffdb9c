import type { Knex } from 'knex'
import type { Counter, Histogram } from 'prom-client'
import type { Handlers } from '#bus'
import type { eventsContract } from '#contracts'
import type { Reader } from '#database'
import type { ServiceClients } from './bus.ts'

/** The dependencies of handlers. */
export interface Deps {
  readonly knex: Knex
  readonly reader: Reader
  readonly identity: ServiceClients['identity']
  /** Notifies the gateways that sites got events. */
  readonly publishRecorded: (sites: number[]) => void
  /** `sociallogin_events_recorded_total`. */
  readonly received: Counter<'outcome'>
  /** `sociallogin_events_lag_seconds`. */
  readonly lag: Histogram
}

export type EventsHandlers = Handlers<typeof eventsContract, Deps>
