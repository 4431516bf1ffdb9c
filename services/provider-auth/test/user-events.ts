import { expect } from 'vitest'
import type { EventTypeName } from '#contracts'
import type { SharedStack } from '#testing'

/** Expects the data of all events of a user with this type, as soon as they are in the stream. */
export async function expectEventData(
  { events, call }: Pick<SharedStack, 'events' | 'call'>,
  { site, identifier }: { readonly site: number; readonly identifier: string },
  type: EventTypeName,
  data: readonly object[],
): Promise<void> {
  const read = async () =>
    (await events.listEvents({ site, identifier, types: [type], limit: 100 }, call())).events.map((event) => event.data)
  await expect.poll(read).toEqual(data)
}
