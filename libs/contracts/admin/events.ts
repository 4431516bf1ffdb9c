import { z } from 'zod'
import { limits } from '../limits.ts'
import { EventType } from '../objects/event.ts'
import { EventObject } from '../objects/event-object.ts'
import { Text } from '../scalars.ts'
import { adminProcedures } from './procedure.ts'
import { SiteReference } from './sites.ts'

export { EventObject } from '../objects/event-object.ts'

export const adminEventProcedures = adminProcedures({
  listEvents: {
    method: 'GET',
    path: '/accounts/{account}/sites/{site_id}/events',
    summary: 'Events of a site, in order, as webhooks and the Web API send them',
    role: 'editor',
    help: {
      after: 'next_after of the previous page; newest: only later events; omitted: from the oldest stored event',
      type: 'only events of this type',
    },
    input: SiteReference.extend({
      after: Text.optional(),
      type: EventType.optional(),
      limit: z.coerce.number().pipe(z.int().min(1).max(limits.events_maximum)).default(limits.events_default),
    }),
    output: z.object({ events: z.array(EventObject), next_after: z.string(), more: z.boolean() }),
    faults: {
      invalid_request: '`after` is not a position.',
      conflict: 'Events after the position are deleted. Start without `after`.',
    },
  },
})
