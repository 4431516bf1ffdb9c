import { pendingEventsMigration } from '#database'

export const pendingEvents = pendingEventsMigration('0002-pending-events')
