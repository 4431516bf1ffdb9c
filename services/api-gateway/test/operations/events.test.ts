import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { errorResponses } from '../caller.ts'
import { createTestUser, setStage } from '../stage.ts'

const stage = setStage()

const Event = z.looseObject({
  type: z.string(),
  cursor: z.string(),
  sequence: z.number(),
  user: z.object({ identifier: z.string(), primary_key: z.string().nullable() }),
  data: z.record(z.string(), z.unknown()).nullable(),
})
const Page = z.object({ status: z.literal('ok'), events: z.array(Event), next_after: z.string(), more: z.boolean() })

const read = async (parameters: Record<string, string> = {}) => {
  const { status, body } = await stage.web_api.get('events', parameters)
  expect(status).toBe(200)
  return Page.parse(body)
}
const position = async () => (await read({ after: 'newest' })).next_after

test('200 a request that waits gets the events of a change, and its cursor continues after them', async () => {
  const after = await position()
  const waiting = read({ after, wait: '30' })
  const primaryKey = randomUUID()
  const identifier = await createTestUser(stage.web_api, { primary_key: primaryKey })
  const first = await waiting
  const user = { identifier, primary_key: primaryKey }
  await stage.web_api.get('unmap', { identifier })
  const { account, site_id } = stage.site
  expect(first.events[0]).toMatchObject({ type: 'user.created', account, site_id, user, user_sequence: 1 })
  const last = first.events.at(-1)
  expect(first.next_after).toBe(last?.cursor)
  const rest = await read({ after: first.events[0]?.cursor ?? '', wait: '30', types: 'user.unmapped' })
  expect(rest.events.map(({ type, data }) => ({ type, data }))).toEqual([
    { type: 'user.unmapped', data: { previous_primary_key: primaryKey } },
  ])
})

test('200 pages of one user, by type and limit', async () => {
  const identifier = await createTestUser(stage.web_api)
  const after = await position()
  const keys = Array.from({ length: 3 }, () => randomUUID())
  for (const primaryKey of keys)
    await stage.web_api.get('map', { identifier, primary_key: primaryKey, overwrite: 'yes' })
  await createTestUser(stage.web_api)
  const found: unknown[] = []
  let page = await read({ after, identifier, types: 'user.mapped,user.deleted', limit: '1', wait: '30' })
  for (;;) {
    found.push(...page.events.map(({ data }) => data?.primary_key))
    if (found.length === keys.length) break
    page = await read({ after: page.next_after, identifier, types: 'user.mapped,user.deleted', limit: '1', wait: '30' })
  }
  expect(found).toEqual(keys)
})

test('200 without an event after the wait', async () => {
  const after = await position()
  expect(await read({ after, wait: '1', types: 'consent.revoked' })).toEqual({
    status: 'ok',
    events: [],
    next_after: expect.any(String),
    more: false,
  })
})

test.each(['ndjson', 'sse'] as const)(
  '200 follows the stream as %s and ends with the position to continue from',
  async (format) => {
    const after = await position()
    const { web_api } = stage.serviceStack
    const query = new URLSearchParams({ key: stage.site.api_key, after, format, wait: '2' })
    const response = await fetch(`${web_api}/events?${query}`)
    expect(response.status).toBe(200)
    const identifier = await createTestUser(stage.web_api)
    const text = await response.text()
    expect(text).toContain(identifier)
    if (format === 'ndjson') {
      expect(response.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8')
      const lines = text
        .trimEnd()
        .split('\n')
        .map((line): unknown => JSON.parse(line))
      const event = Event.parse(lines[0])
      expect(lines.at(-1)).toEqual({ next_after: event.cursor })
    } else {
      expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
      const [, id = ''] = /^id: (\S+)\nevent: user\.created\ndata: \{/m.exec(text) ?? []
      const continued = await fetch(`${web_api}/events?${query}&limit=1`, { headers: { 'Last-Event-ID': id } })
      expect(await continued.text()).toBe(`retry: 1000\nid: ${id}\n\n`)
    }
  },
)

test('410 for a cursor of another stream, 400 for what is no cursor', async () => {
  const unknown = `1-${randomUUID()}`
  expect(await stage.web_api.get('events', { after: unknown })).toMatchObject(errorResponses.events_deleted)
  for (const parameters of [
    { after: 'x' },
    { types: 'user.created,x' },
    { wait: '31' },
    { limit: '1001' },
    { format: 'xml' },
  ])
    expect(await stage.web_api.get('events', parameters)).toMatchObject(errorResponses.invalid_parameter)
})
