import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { startReceiver } from '../../../services/events/test/receiver.ts'
import { sendOnce } from '../client.ts'
import type { FaultSite } from '../site.ts'
import type { FaultStack } from '../stack.ts'
import { createSite } from './console-operations.ts'
import type { FaultOperation } from './fault-case.ts'
import { newUserEvents, prepareNewUser } from './new-user.ts'

export const webhookName = 'webhooks'

const Key = z.object({ api_key: z.string() })
const Webhook = z.object({
  id: z.string(),
  type: z.string(),
  user: z.object({ identifier: z.string() }),
  user_sequence: z.number(),
})

/** Longer than webhooks take without a fault. After a fault, the client asks again. */
const deliveredWithinMs = 5_000
const keyKnownWithinMs = 5_000
const pollMs = 50

export interface WebhookFaults extends AsyncDisposable {
  readonly operation: FaultOperation
}

/** A new user, and the webhooks of its events as a customer's server receives them, in order for each user. */
export async function openWebhookFaults({ databases }: Pick<FaultStack, 'databases'>): Promise<WebhookFaults> {
  const receiver = await startReceiver()
  /** A user's events in the order in which they first came, which a `Map` keeps. A customer ignores repeats. */
  const receivedOf = (identifier: string) => {
    const webhooks = receiver.received.map(({ body }) => Webhook.parse(JSON.parse(body)))
    const ofUser = webhooks.filter(({ user }) => user.identifier === identifier)
    return [...new Map(ofUser.map(({ id, type, user_sequence }) => [id, `${user_sequence} ${type}`])).values()]
  }
  /** Undefined if not all events are stored as delivered yet. */
  const readDelivered = async (identifier: string) => {
    for (const until = performance.now() + deliveredWithinMs; performance.now() < until; ) {
      const statuses: string[] = await databases.events('webhook_deliveries').where({ identifier }).pluck('status')
      if (statuses.filter((status) => status === 'delivered').length === newUserEvents.length)
        return { status: 200, body: receivedOf(identifier).join(', ') }
      await sleep(pollMs)
    }
    return undefined
  }
  const operation: FaultOperation = {
    name: webhookName,
    participants: ['events'],
    // The relay and the worker continue interrupted cases by themselves.
    exclusive: true,
    async prepare(site, tag) {
      const apiKey = await openSiteWithWebhook(site, { tag, url: receiver.url })
      return prepareNewUser({ web_api: site.web_api, api_key: apiKey, tag, readEvents: readDelivered })
    },
  }
  return { operation, [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose]() }
}

/** A site of its own for each case, so that no case waits for the lease of an earlier one. Returns its key, which the gateway knows. */
async function openSiteWithWebhook(
  { admin, web_api }: FaultSite,
  { tag, url }: { tag: string; url: string },
): Promise<string> {
  const path = `/sites/${await createSite(admin, tag)}`
  const { body } = await admin.send('POST', `${path}/keys`, { name: tag })
  const { api_key } = Key.parse(JSON.parse(body))
  const webhook = await admin.send('POST', `${path}/webhooks`, { name: tag, url, ordered: true })
  if (webhook.status !== 200) throw new Error(`The webhook was rejected with ${webhook.status}: ${webhook.body}`)
  for (const until = performance.now() + keyKnownWithinMs; performance.now() < until; await sleep(pollMs)) {
    const answer = await sendOnce(`${web_api}/appinfo`, { authorization: `Bearer ${api_key}` })
    if (answer?.status === 200) return api_key
  }
  throw new Error('The gateway does not know the key.')
}
