import { z } from 'zod'
import { availabilityNotice, defineContract } from './define.ts'
import { limits } from './limits.ts'
import { ErasedCounts } from './objects/erasure.ts'
import { EventType, HistoryEntry, NewEvent, StreamEvent, StreamPosition } from './objects/event.ts'
import { siteCopyProcedures } from './objects/site-copy.ts'
import { deleteSiteProcedure } from './objects/site-deletion.ts'
import { Identifier, PreciseTimestamp, Site } from './scalars.ts'
import { webhookProcedures } from './webhooks.ts'

/** The ordered stream of events of each site, and the endpoints to which events are sent. */
export const eventsContract = defineContract(
  'events',
  {
    /**
     * Adds events to the streams of their sites, in the order of the list. An event that is already in its stream is ignored.
     * So is one of a user who was deleted or merged into another one.
     *
     * `waiting`: these were not added, because identity still has earlier events of their users. Send them again.
     */
    record: {
      input: z.object({ events: z.array(NewEvent).min(1).max(limits.event_batch) }),
      output: z.object({ waiting: z.array(z.uuid()) }),
      faults: [],
      repeatable: true,
    },
    /**
     * The events of a site after a position, in order, at most `limit`. Without `after`, from the oldest stored one.
     * `next` is the position to continue from; `more`: whether there are events after it.
     */
    listEvents: {
      input: z.object({
        site: Site,
        after: StreamPosition.optional(),
        types: z.array(EventType).min(1).optional(),
        /** Only events of this user, also if it was merged into another one. */
        identifier: Identifier.optional(),
        limit: z.int().min(1).max(limits.events_maximum),
      }),
      output: z.object({ events: z.array(StreamEvent), next: StreamPosition, more: z.boolean() }),
      /** Events after the position were deleted, or the stream was restored. */
      faults: ['events_deleted'],
      repeatable: true,
    },
    /** The latest events of a user, the latest first, at most `limit`. Those of users who were merged into it are not among them. */
    listUserHistory: {
      input: z.object({
        site: Site,
        identifier: Identifier,
        types: z.array(EventType).min(1).optional(),
        limit: z.int().min(1).max(limits.user_history_entries),
      }),
      output: z.object({ entries: z.array(HistoryEntry) }),
      faults: [],
      repeatable: true,
    },
    /**
     * How much data of a user's events was deleted because of the event `user.deleted` of that time; null: the event is not in the
     * stream yet.
     */
    readEventErasure: {
      input: z.object({ site: Site, identifier: Identifier, deleted_at: PreciseTimestamp }),
      output: z.object({ deleted: ErasedCounts.nullable() }),
      faults: [],
      repeatable: true,
    },
    /** The position after the newest event. */
    readPosition: {
      input: z.object({ site: Site }),
      output: StreamPosition,
      faults: [],
      repeatable: true,
    },
    ...webhookProcedures,
    deleteSite: deleteSiteProcedure,
    ...siteCopyProcedures,
  },
  {
    ...availabilityNotice,
    /** Events of these sites were recorded. */
    recorded: { payload: z.object({ sites: z.array(Site) }) },
  },
)
