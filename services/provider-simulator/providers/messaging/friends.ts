import { createHmac } from 'node:crypto'
import { z } from 'zod'
import type { Context } from '#http'
import { newToken } from '#runtime'
import type { SimulatedClient } from '../../client-registry.ts'
import { readJsonInput } from '../../json-input.ts'
import { identify, type OAuthServer } from '../../oauth/server.ts'
import { simulatedClock } from '../../simulated-clock.ts'
import { parseName } from '../../user-name.ts'
import { sendWebhook } from '../../webhooks.ts'

/** The friends of clients' official accounts, by user ID. */
export interface Friends {
  readonly has: (client: SimulatedClient, userId: string) => boolean
  /** Adds or blocks the official account, and sends the client's webhook if that changed anything. */
  readonly change: (client: SimulatedClient, userId: string, isFriend: boolean) => Change
}

interface Change {
  readonly isChanged: boolean
  /** The status of the webhook's response; null if there is no webhook or it did not respond. */
  readonly webhookStatus: Promise<number | null>
}

export function createFriends(): Friends {
  // By client ID and user ID; false for users who were friends and have blocked the account.
  const friends = new Map<string, boolean>()
  const keyOf = ({ client_id }: SimulatedClient, userId: string) => `${client_id} ${userId}`
  return {
    has: (client, userId) => friends.get(keyOf(client, userId)) === true,
    change(client, userId, isFriend) {
      const key = keyOf(client, userId)
      const wasFriend = friends.get(key)
      const isChanged = (wasFriend ?? false) !== isFriend
      if (!isChanged) return { isChanged, webhookStatus: Promise.resolve(null) }
      friends.set(key, isFriend)
      const change = isFriend ? { type: 'follow', follow: { isUnblocked: wasFriend === false } } : { type: 'unfollow' }
      return { isChanged, webhookStatus: sendEvent(client, { ...change, source: { type: 'user', userId } }) }
    },
  }
}

const FriendInput = z.object({ client_id: z.string(), user: z.string(), friend: z.boolean() })

/**
 * `POST /friends`, which only the simulator has, with JSON of `client_id`, the end user's name as `user`, and `friend`:
 * adds or blocks the official account. Returns whether that `changed` anything and the `webhook_status`.
 */
export async function changeFriend(ctx: Context, friends: Friends, server: OAuthServer): Promise<void> {
  const read = await readJsonInput(ctx, FriendInput)
  const input = 'data' in read ? read.data : undefined
  const client = server.clients.find('messaging', input?.client_id)
  const typed = parseName(input?.user)
  if (input === undefined || !client?.official_account || 'problem' in typed) {
    ctx.status = 400
    ctx.body = {
      error: 'invalid_request',
      error_description:
        'Send JSON with the client_id of a client with an official account, the name of a user as user, and friend: true or false.',
    }
    return
  }
  const { sub } = identify({ client_id: client.client_id, name: typed.name }, server)
  const { isChanged, webhookStatus } = friends.change(client, sub, input.friend)
  ctx.body = { changed: isChanged, webhook_status: await webhookStatus }
}

/** Sends a webhook event as the Messaging API does: signed over the bytes of the body, and once. */
async function sendEvent({ webhook_uri, webhook_secret }: SimulatedClient, event: object): Promise<number | null> {
  if (webhook_uri === undefined || webhook_secret === undefined) return null
  const sent = {
    ...event,
    mode: 'active',
    timestamp: simulatedClock.now(),
    webhookEventId: newToken('', 20),
    deliveryContext: { isRedelivery: false },
  }
  const body = JSON.stringify({ destination: `U${'0'.repeat(32)}`, events: [sent] })
  const signature = createHmac('sha256', webhook_secret).update(body).digest('base64')
  const headers = { 'content-type': 'application/json; charset=utf-8', 'x-line-signature': signature }
  return (await sendWebhook(webhook_uri, { headers, body }))?.status ?? null
}
