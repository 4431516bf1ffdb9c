import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { type Call, remainingMs } from '#bus'
import { ProviderUserId } from '#contracts'
import { transaction } from '#database'
import { parseJson } from '#http'
import { equalSecrets } from '#runtime'
import type { Deps } from '../../deps.ts'
import type { SiteProviderSettings } from '../../domain/provider-settings.ts'
import { createFriendshipStatusMessage, type ProviderAuthMessage } from '../../outbox.ts'

/** A webhook request, byte for byte. */
export interface MessagingWebhook {
  readonly login_provider_identifier: string
  readonly body: Buffer
  /** The `X-Line-Signature` header; empty if it is missing. */
  readonly signature: string
}

/**
 * `unknown`: no webhook is configured at the address. `forged`: the signature is invalid. These and `malformed` change
 * nothing.
 */
export type WebhookOutcome = 'heard' | 'unknown' | 'forged' | 'malformed'

/**
 * Handles the webhook of the official account (Messaging API, "Receive messages"): end users who became friends or
 * blocked the account. Events that arrive twice, late or for unknown users change nothing.
 *
 * @throws Fault `unavailable` or a database outage; the provider sends the webhook again
 */
export async function receiveMessagingWebhook(
  webhook: MessagingWebhook,
  deps: Deps,
  call: Call,
): Promise<WebhookOutcome> {
  const { login_provider_identifier, body, signature } = webhook
  const settings = await deps.siteSettings.findProviderSettings({ provider: 'messaging', login_provider_identifier })
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

/** The provider also sends `follow` if a user unblocks the account, and `unfollow` if a user blocks it. */
const FriendEvent = z.object({
  type: z.enum(['follow', 'unfollow']),
  /** Unix time in milliseconds. */
  timestamp: z.int().nonnegative(),
  source: z.object({ type: z.literal('user'), userId: ProviderUserId }),
})
type FriendEvent = z.output<typeof FriendEvent>

/** The last change of each user; other kinds of events are ignored. */
function parseEvents(body: Buffer): FriendEvent[] | undefined {
  const { data } = Body.safeParse(parseJson(body.toString('utf8')))
  const events = data?.events.flatMap((event) => FriendEvent.safeParse(event).data ?? [])
  const sorted = events?.toSorted((one, other) => one.timestamp - other.timestamp)
  return sorted && [...new Map(sorted.map((event) => [event.source.userId, event])).values()]
}

/**
 * Creates the message for friendship. Its key is the same each time the event arrives; unknown users get no message.
 */
async function createStatusMessages(
  { type, timestamp, source }: FriendEvent,
  { site, provider }: SiteProviderSettings,
  { identity }: Deps,
  call: Call,
): Promise<ProviderAuthMessage[]> {
  const account = { site, provider, provider_user_id: source.userId }
  const { holder } = await identity.findAccountHolder(account, call)
  if (holder === null) return []
  const { link_id } = holder
  // The provider's clock may be ahead of ours; a status with a future time would block later ones.
  const obtainedAt = new Date(Math.min(timestamp, Date.now())).toISOString()
  return [
    createFriendshipStatusMessage(
      { site, link_id, friendship_status: type === 'follow', obtained_at: obtainedAt },
      `${link_id}:${timestamp}`,
    ),
  ]
}
