import type { StreamEvent } from '#contracts'

/** The body of a webhook: the event as the Web API returns it. */
export function toWebhookBody(event: StreamEvent): string {
  return JSON.stringify(event)
}

/** The body of a test, which is no event of a user. */
export function toTestBody(id: string): string {
  return JSON.stringify({ id, type: 'webhook.test', timestamp: new Date().toISOString(), data: {} })
}
