import type { Knex } from 'knex'
import type { Counter, Histogram } from 'prom-client'
import type { Handlers } from '#bus'
import type { eventsContract, ProviderNames } from '#contracts'
import type { PersonalData, Reader } from '#database'
import type { Encryptor, LeaseWorker } from '#runtime'
import type { WebhookSender } from '#webhooks'
import type { ServiceClients } from './bus.ts'

/** The dependencies of handlers. */
export interface Deps {
  readonly knex: Knex
  readonly reader: Reader
  readonly identity: ServiceClients['identity']
  /** Notifies the gateways that sites got events. */
  readonly publishRecorded: (sites: number[]) => void
  /** Encrypts `events.data`; the subjects are users. */
  readonly eventData: PersonalData
  /** Encrypts the secrets of endpoints. */
  readonly encryptor: Pick<Encryptor, 'encrypt' | 'decrypt'>
  readonly sender: Pick<WebhookSender, 'send'>
  readonly delivery: Pick<LeaseWorker, 'wake'>
  /** The wire names of providers. */
  readonly names: ProviderNames
  /** Whether this installation sends webhooks to a URL, as far as the URL shows it. */
  readonly isUrlAllowed: (url: string) => boolean
  /** `sociallogin_events_recorded_total`. */
  readonly received: Counter<'outcome'>
  /** `sociallogin_events_lag_seconds`. */
  readonly lag: Histogram
}

export type EventsHandlers = Handlers<typeof eventsContract, Deps>
