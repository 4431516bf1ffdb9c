import { createHmac } from 'node:crypto'
import { z } from 'zod'
import type { Context } from '#http'
import { newToken } from '#runtime'
import type { Client } from '../../clients.ts'
import { readJsonInput } from '../../json-input.ts'
import { readName } from '../../names.ts'
import { friendship, type Messaging, memberNamed } from './state.ts'

const Wanted = z.object({ client_id: z.string(), user: z.string(), friend: z.boolean() })

/**
 * `POST /friends`, of the simulator alone, with JSON of `client_id`, the person's name as `user`, and `friend`: the person adds
 * or blocks the official account. Answers whether that `changed` anything and the status with which the application answered
 * the webhook; null when there is none or it did not answer.
 */
export async function changeFriend(ctx: Context, messaging: Messaging): Promise<void> {
  const input = await readJsonInput(ctx, Wanted)
  const wanted = 'data' in input ? input.data : undefined
  const client = messaging.clients.find('messaging', wanted?.client_id)
  const typed = readName(wanted?.user)
  if (wanted === undefined || !client?.official_account || 'problem' in typed) {
    ctx.status = 400
    ctx.body = {
      error: 'invalid_request',
      error_description:
        'Send JSON with client_id of a client with an official account, the name of a person as user, and friend: true or false.',
    }
    return
  }
  const { changed, told } = setFriend(messaging, client, { name: typed.name, friend: wanted.friend })
  ctx.body = { changed, webhook_status: await told }
}

/** Makes a person a friend of the client's official account or ends it, and tells the webhook of what that changed. */
export function setFriend(
  messaging: Messaging,
  client: Client,
  { name, friend }: { readonly name: string; readonly friend: boolean },
): { readonly changed: boolean; readonly told: Promise<number | null> } {
  const { friends, blocked } = messaging
  const member = memberNamed(name, messaging)
  const key = friendship(client, member)
  const changed = friends.has(key) !== friend
  if (!changed) return { changed, told: Promise.resolve(null) }
  const change = friend ? { type: 'follow', follow: { isUnblocked: blocked.has(key) } } : { type: 'unfollow' }
  const [to, from] = friend ? [friends, blocked] : [blocked, friends]
  to.add(key)
  from.delete(key)
  return { changed, told: tellWebhook(client, { ...change, source: { type: 'user', userId: member.user_id } }) }
}

/** How long the application may take to answer. Our choice. */
const webhook_timeout_ms = 5_000

/** Sends an event as the Messaging API does: signed over the very bytes of the body, and once. */
async function tellWebhook({ webhook_uri, webhook_secret }: Client, event: object): Promise<number | null> {
  if (webhook_uri === undefined || webhook_secret === undefined) return null
  const sent = {
    ...event,
    mode: 'active',
    timestamp: Date.now(),
    webhookEventId: newToken('', 20),
    deliveryContext: { isRedelivery: false },
  }
  const body = JSON.stringify({ destination: `U${'0'.repeat(32)}`, events: [sent] })
  const signature = createHmac('sha256', webhook_secret).update(body).digest('base64')
  const headers = { 'content-type': 'application/json; charset=utf-8', 'x-line-signature': signature }
  const signal = AbortSignal.timeout(webhook_timeout_ms)
  try {
    return (await fetch(webhook_uri, { method: 'POST', headers, body, redirect: 'manual', signal })).status
  } catch {
    return null
  }
}
