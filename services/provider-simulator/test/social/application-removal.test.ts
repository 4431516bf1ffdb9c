import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { waitFor } from '#testing'
import { register } from '../simulator.ts'
import {
  client,
  clientId,
  clientSecret,
  me,
  received,
  remove,
  setSimulator,
  simulator,
  tokenFor,
  url,
} from './social.ts'

setSimulator()

describe('a removed application receives webhooks', () => {
  /** Parses a signed request, as an application does. */
  function read(form: URLSearchParams): unknown {
    const [signature, payload = ''] = (form.get('signed_request') ?? '').split('.')
    expect(signature).toBe(createHmac('sha256', clientSecret).update(payload).digest('base64url'))
    return JSON.parse(Buffer.from(payload, 'base64url').toString())
  }
  const expectWebhooks = (userId: unknown) => {
    const webhooks = received.map(({ path, content_type, form }) => ({ path, content_type, payload: read(form) }))
    const contentType = expect.stringMatching(/^application\/x-www-form-urlencoded/)
    const payload = { user_id: userId, algorithm: 'HMAC-SHA256', issued_at: expect.any(Number) }
    expect(webhooks.toSorted((a, b) => (a.path ?? '').localeCompare(b.path ?? ''))).toEqual([
      { path: '/data_deletion', content_type: contentType, payload: { ...payload, expires: expect.any(Number) } },
      { path: '/deauthorize', content_type: contentType, payload },
    ])
  }

  test('as two requests signed with its secret, if a user removes it on their page', async () => {
    const { id } = (await me(await tokenFor('Ada King', { client_id: 'notified' }))).json
    const settings = (fields: Record<string, string>) =>
      fetch(`${url}/settings`, { method: 'POST', body: new URLSearchParams(fields) })
    expect(await (await settings({ user: 'Ada King' })).text()).toContain('Remove The shop')
    const page = await settings({ user: 'Ada King', remove: 'notified' })
    expect(page.status).toBe(200)
    const html = await page.text()
    expect(html).toMatch(/\/data_deletion<\/code>:\s+status 200: <code>/)
    expect(html).toContain('confirmation_code')
    expect(html).not.toContain('Remove The shop')
    expectWebhooks(id)
  })

  test('if it removes itself through the permissions', async () => {
    const accessToken = await tokenFor('Bob', { client_id: 'notified' })
    const { id } = (await me(accessToken)).json
    await remove('/me/permissions', accessToken)
    await waitFor(() => expect(received).toHaveLength(2))
    expectWebhooks(id)
  })

  test('only if it has URLs for them', async () => {
    await tokenFor('Carol')
    const body = new URLSearchParams({ user: 'Carol', remove: clientId })
    const html = await (await fetch(`${url}/settings`, { method: 'POST', body })).text()
    expect(html).toContain('No webhook was sent')
    expect(received).toEqual([])
  })

  test('the page reports a missing response', async () => {
    const deaf = { ...client, client_id: 'deaf', deauthorize_uri: 'http://localhost:9/deauthorize' }
    await register(simulator.url, deaf)
    await tokenFor('Dora', { client_id: 'deaf' })
    const body = new URLSearchParams({ user: 'Dora', remove: 'deaf' })
    expect(await (await fetch(`${url}/settings`, { method: 'POST', body })).text()).toContain(
      'no response; the server is unreachable',
    )
  })

  test('the page requires a name and lists only the applications of this user', async () => {
    const empty = await fetch(`${url}/settings`, { method: 'POST', body: new URLSearchParams({ user: ' ' }) })
    expect({ status: empty.status, html: await empty.text() }).toMatchObject({
      status: 400,
      html: expect.stringMatching(/role="alert">Enter a name/),
    })
    const body = new URLSearchParams({ user: 'Unknown User' })
    expect(await (await fetch(`${url}/settings`, { method: 'POST', body })).text()).toContain('No applications.')
  })
})
