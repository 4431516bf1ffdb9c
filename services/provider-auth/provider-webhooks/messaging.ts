import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { type Call, remainingMs } from '#bus'
import { ProviderUserId } from '#contracts'
import { transaction } from '#database'
import { parseJson } from '#http'
import { equalSecrets } from '#runtime'
import type { Deps } from '../deps.ts'
import type { ProviderSettings } from '../domain/provider-settings.ts'
import { createFriendshipStatusMessage, type Message } from '../outbox.ts'
import { findProviderSettings } from '../store/provider-settings.ts'

/** A webhook's request as it came, byte for byte. */
export interface MessagingWebhook {
  readonly login_provider_identifier: string
  readonly body: Buffer
  /** The field `X-Line-Signature`; empty without it. */
  readonly signature: string
}

/** `unknown`: there is no such address; `forged`: not signed by the provider; either way, and if `malformed`, nothing is done. */
export type WebhookOutcome = 'heard' | 'unknown' | 'forged' | 'malformed'

/**
 * Hears the webhook of the official account (Messaging API, "Receive messages"): who became a friend, or is none any more.
 * What is heard twice, late or of a person unknown here changes nothing.
 *
 * @throws Fault `unavailable` when identity is away, an outage of the database: to be sent again
 */
export async function receiveMessagingWebhook(
  webhook: MessagingWebhook,
  deps: Deps,
  call: Call,
): Promise<WebhookOutcome> {
  const { login_provider_identifier, body, signature } = webhook
  const settings = await findProviderSettings(deps, { provider: 'messaging', login_provider_identifier })
  const secret = settings?.options.webhook_secret
  if (!settings?.enabled || secret === undefined) return 'unknown'
  if (!equalSecrets(signature, createHmac('sha256', secret).update(body).digest('base64'))) return 'forged'
  const events = parseEvents(body)
  if (events === undefined) return 'malformed'

  const messages = (await Promise.all(events.map((event) => createStatusMessages(event, settings, deps, call)))).flat()
  await transaction(deps.knex, (trx) => deps.outbox.enqueue(trx, messages))
  await deps.outbox.send(messages, { request_id: call.request_id, withinMs: remainingMs(call) })
  return 'heard'
}

const Body = z.object({ events: z.array(z.unknown()) })

/** `follow` also tells of a person who unblocked the account, `unfollow` of one who blocked it. */
const FriendEvent = z.object({
  type: z.enum(['follow', 'unfollow']),
  /** Unix time in milliseconds. */
  timestamp: z.int().nonnegative(),
  source: z.object({ type: z.literal('user'), userId: ProviderUserId }),
})
type FriendEvent = z.output<typeof FriendEvent>

/** Each person's last change; other kinds of events are not for us. */
function parseEvents(body: Buffer): FriendEvent[] | undefined {
  const { data } = Body.safeParse(parseJson(body.toString('utf8')))
  const events = data?.events.flatMap((event) => FriendEvent.safeParse(event).data ?? [])
  const sorted = events?.toSorted((one, other) => one.timestamp - other.timestamp)
  return sorted && [...new Map(sorted.map((event) => [event.source.userId, event])).values()]
}

/** What friendship gets, under a key that is the same however often the event comes; nothing of a stranger. */
async function createStatusMessages(
  { type, timestamp, source }: FriendEvent,
  { site, provider }: ProviderSettings,
  { identity }: Deps,
  call: Call,
): Promise<Message[]> {
  const account = { site, provider, provider_user_id: source.userId }
  const { holder } = await identity.findAccountHolder(account, call)
  if (holder === null) return []
  const { link_id } = holder
  // The provider's clock may be ahead of ours; a status from the future would keep out every later one.
  const obtainedAt = new Date(Math.min(timestamp, Date.now())).toISOString()
  return [
    createFriendshipStatusMessage(
      { link_id, friendship_status: type === 'follow', obtained_at: obtainedAt },
      `${link_id}:${timestamp}`,
    ),
  ]
}
