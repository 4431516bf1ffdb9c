import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as bodyOf } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { get, register, signIn } from '../simulator.ts'
import { authorization, client, issuer, setSimulator, simulator, tokensFor, withoutAccount } from './messaging.ts'

setSimulator()

describe('friendship', () => {
  const changed = async (user: string, changes: Record<string, string>, responses: Record<string, string> = {}) =>
    (await signIn(authorization(changes), { user, ...responses })).searchParams.get('friendship_status_changed')
  const flag = async (user: string) =>
    (await get(`${issuer}/friendship/v1/status`, (await tokensFor(user)).access_token)).json

  test('friendship_status_changed is absent when bot_prompt was not sent', async () => {
    expect(await changed('fumi', {})).toBeNull()
    expect(await changed('fumi', {}, { option: 'yes' })).toBeNull()
    expect(await flag('fumi')).toEqual({ friendFlag: false })
  })

  test.each(['normal', 'aggressive'])(
    'with bot_prompt %s it states whether this login added the friend',
    async (mode) => {
      const user = `friend ${mode}`
      expect(await changed(user, { bot_prompt: mode })).toBe('false')
      expect(await flag(user)).toEqual({ friendFlag: false })
      expect(await changed(user, { bot_prompt: mode }, { option: 'yes' })).toBe('true')
      expect(await flag(user)).toEqual({ friendFlag: true })
      expect(await changed(user, { bot_prompt: mode }, { option: 'yes' })).toBe('false')
    },
  )

  test('the webhook receives a signed event when a user adds or blocks the official account', async () => {
    const received: { body: string; signature: string | undefined }[] = []
    const server = createServer(async (request, response) => {
      const signature = request.headers['x-line-signature']
      received.push({ body: await bodyOf(request), signature: signature === undefined ? undefined : String(signature) })
      response.writeHead(202).end()
    }).listen(0)
    await once(server, 'listening')
    // Listening on a port.
    const { port } = server.address() as AddressInfo
    const webhookSecret = 'secret-of-the-messaging-api'
    const toldClient = {
      ...client,
      client_id: '1650000003',
      webhook_uri: `http://localhost:${port}/`,
      webhook_secret: webhookSecret,
    }
    await register(simulator.url, toldClient)
    const befriend = async (friend: unknown, of = toldClient.client_id) => {
      const body = JSON.stringify({ client_id: of, user: 'fumi', friend })
      const headers = { 'content-type': 'application/json' }
      const response = await fetch(`${issuer}/friends`, { method: 'POST', headers, body })
      return { status: response.status, json: await response.json() }
    }

    for (const friend of [true, false, true])
      expect(await befriend(friend)).toEqual({ status: 200, json: { changed: true, webhook_status: 202 } })
    expect(await befriend(true)).toEqual({ status: 200, json: { changed: false, webhook_status: null } })
    const { access_token } = await tokensFor('fumi', { client_id: toldClient.client_id })
    expect((await get(`${issuer}/friendship/v1/status`, access_token)).json).toEqual({ friendFlag: true })

    for (const { body, signature } of received)
      expect(signature).toBe(createHmac('sha256', webhookSecret).update(body).digest('base64'))
    const source = { type: 'user', userId: expect.stringMatching(/^U[0-9a-f]{32}$/) }
    const timestamp = expect.any(Number)
    expect(received.map(({ body }) => JSON.parse(body))).toMatchObject([
      { events: [{ type: 'follow', follow: { isUnblocked: false }, source, timestamp }] },
      { events: [{ type: 'unfollow', source, timestamp }] },
      { events: [{ type: 'follow', follow: { isUnblocked: true }, source, timestamp }] },
    ])

    expect((await befriend('yes')).status).toBe(400)
    expect((await befriend(true, withoutAccount.client_id)).status).toBe(400)
    server.close()
    expect(await befriend(false)).toEqual({ status: 200, json: { changed: true, webhook_status: null } })
  })

  test('400 with a message when the channel has no official account', async () => {
    const { access_token } = await tokensFor('taro', { client_id: withoutAccount.client_id })
    const { status, json } = await get(`${issuer}/friendship/v1/status`, access_token)
    expect({ status, json }).toEqual({
      status: 400,
      json: { message: 'There is no login bot linked to this channel.' },
    })
  })
})
