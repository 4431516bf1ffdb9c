import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import type { EventTypeName, StreamEvent } from '#contracts'
import { type SharedStack, sharedStack } from '#testing'

/** A site of its own in the worker's shared stack, and its stream. */
export async function openStream() {
  const stack = await sharedStack()
  const siteId = `e${randomBytes(6).toString('hex')}`
  const { site } = await stack.identity.registerSite({ account: 'test', site_id: siteId, name: siteId }, stack.call())
  return { stack, site, siteId, ...streamOf(stack, site) }
}

export function streamOf({ events, call }: Pick<SharedStack, 'events' | 'call'>, site: number) {
  /** All events of the site, page by page. */
  const readAll = async (limit = 1_000): Promise<StreamEvent[]> => {
    const found: StreamEvent[] = []
    let page = await events.listEvents({ site, limit }, call())
    found.push(...page.events)
    while (page.more) {
      page = await events.listEvents({ site, limit, after: page.next }, call())
      found.push(...page.events)
    }
    return found
  }
  /** All events, as soon as there is one of this type. */
  const readUntil = async (type: EventTypeName, count = 1): Promise<StreamEvent[]> => {
    let found: StreamEvent[] = []
    const read = async () => {
      found = await readAll()
      return found.filter((event) => event.type === type).length
    }
    await expect.poll(read).toBe(count)
    return found
  }
  return { readAll, readUntil }
}

/** Expects sequence numbers from 1 without gaps, of the site and of each user. */
export function expectNumbered(events: readonly StreamEvent[]): void {
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1))
  expect(new Set(events.map(({ id }) => id)).size).toBe(events.length)
  for (const [, ofUser] of Map.groupBy(events, ({ user }) => user.identifier))
    expect(ofUser.map(({ user_sequence }) => user_sequence)).toEqual(ofUser.map((_, index) => index + 1))
}
