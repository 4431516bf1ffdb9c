import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { settled } from '#testing'
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
/** The position after the events of earlier tests. */
const position = async () => {
  await settled(stage.serviceStack)
  return (await read({ after: 'newest' })).next_after
}
const openStream = (query: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>> = {}) => {
  const parameters = new URLSearchParams({ key: stage.site.api_key, ...query })
  return fetch(`${stage.serviceStack.web_api}/events?${parameters}`, { headers })
}

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

test.each(['ndjson', 'sse'])('200 follows the stream as %s', async (format) => {
  const { body } = await openStream({ after: await position(), format, wait: '30' })
  const identifier = await createTestUser(stage.web_api)
  let text = ''
  for await (const part of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part
    if (text.includes(identifier)) return
  }
  expect.fail(`the stream ended before the event: ${text}`)
})

test('200 ends the stream as ndjson with the position to continue from', async () => {
  const after = await position()
  const identifier = await createTestUser(stage.web_api)
  await settled(stage.serviceStack)
  const response = await openStream({ after, format: 'ndjson', wait: '1' })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8')
  const lines = (await response.text()).trimEnd().split('\n')
  const [event, end] = lines.map((line): unknown => JSON.parse(line))
  const { user, cursor } = Event.parse(event)
  expect([user.identifier, end]).toEqual([identifier, { next_after: cursor }])
})

test('200 ends the stream as sse with the position to continue from', async () => {
  const query = { after: await position(), format: 'sse', wait: '1' }
  const identifier = await createTestUser(stage.web_api)
  await settled(stage.serviceStack)
  const response = await openStream(query)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  const text = await response.text()
  const [, id = '', data = '', last] =
    /^id: (\S+)\nevent: user\.created\ndata: (.+)\n\nretry: 1000\nid: (\S+)\n\n$/.exec(text) ?? []
  expect([Event.parse(JSON.parse(data)).user.identifier, last]).toEqual([identifier, id])
  const continued = await openStream({ ...query, limit: '1' }, { 'Last-Event-ID': id })
  expect(await continued.text()).toBe(`retry: 1000\nid: ${id}\n\n`)
})

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
