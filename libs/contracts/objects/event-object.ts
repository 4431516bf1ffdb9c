import { z } from 'zod'
import { Provider, type ProviderNames } from '../providers.ts'
import { Count, Slug, Timestamp } from '../scalars.ts'
import { EventType, EventUser, type StreamEvent, type StreamPosition } from './event.ts'

const Cursor = z.string().max(64)

/** An event as customers receive it: from the Web API, and in the body of a webhook. */
export const EventObject = z.object({
  id: z.uuid(),
  type: EventType,
  timestamp: Timestamp,
  account: Slug,
  site_id: Slug,
  user: EventUser,
  merged_user: EventUser.optional(),
  sequence: Count,
  user_sequence: Count,
  data: z.record(z.string(), z.unknown()).nullable(),
  cursor: Cursor,
})

/** The cursor of a position: the value of `after`. */
export function formatCursor({ stream, sequence }: StreamPosition): string {
  return `${sequence}-${stream}`
}

/** The position of a cursor; undefined if the text is no cursor. */
export function parseCursor(cursor: string): StreamPosition | undefined {
  const [, sequence, stream] = /^(\d{1,15})-([0-9a-f-]{36})$/.exec(cursor) ?? []
  const parsed = z.object({ stream: z.uuid(), sequence: Count }).safeParse({ stream, sequence: Number(sequence) })
  return parsed.data
}

/**
 * An event as customers receive it.
 *
 * @param stream the numbering of the event's `sequence`
 */
export function toEventObject(
  event: StreamEvent,
  { account, site_id }: { readonly account: string; readonly site_id: string },
  stream: string,
  names: ProviderNames,
): z.output<typeof EventObject> {
  const { id, type, time, user, merged_user, sequence, user_sequence, data } = event
  return {
    id,
    type,
    timestamp: `${time.slice(0, 19)}Z`,
    account,
    site_id,
    user,
    ...(merged_user && { merged_user }),
    sequence,
    user_sequence,
    data: data && toWireData(data, names),
    cursor: formatCursor({ stream, sequence }),
  }
}

/** The data with the wire names of providers. */
function toWireData(data: Readonly<Record<string, unknown>>, { wire }: ProviderNames): Record<string, unknown> {
  const { provider, moved_providers, values } = ProvidersOfData.parse(data)
  const toWireEntry = (entry: { readonly media_id: Provider }) => ({ ...entry, media_id: wire(entry.media_id) })
  return {
    ...data,
    ...(provider && { provider: wire(provider) }),
    ...(moved_providers && { moved_providers: moved_providers.map(wire) }),
    ...(values && {
      values: { ...values, email: values.email.map(toWireEntry), phone: values.phone.map(toWireEntry) },
    }),
  }
}

const Entry = z.looseObject({ media_id: Provider })

/** The parts of the data that name providers. */
const ProvidersOfData = z.object({
  provider: Provider.optional(),
  moved_providers: z.array(Provider).optional(),
  values: z.looseObject({ email: z.array(Entry), phone: z.array(Entry) }).optional(),
})
