import { type ProviderNames, type StreamEvent, toEventObject } from '#contracts'

/** The stream of an event, and the wire names of this installation. */
export interface EventContext {
  readonly account: string
  readonly site_id: string
  /** The numbering of the sequence numbers. */
  readonly stream: string
  readonly names: ProviderNames
}

/** The body of a webhook: the event as the Web API returns it. */
export function toWebhookBody(event: StreamEvent, { stream, names, ...site }: EventContext): string {
  return JSON.stringify(toEventObject(event, site, stream, names))
}

/** The body of a test, which is no event of a user. */
export function toTestBody(id: string): string {
  return JSON.stringify({ id, type: 'webhook.test', timestamp: new Date().toISOString(), data: {} })
}
