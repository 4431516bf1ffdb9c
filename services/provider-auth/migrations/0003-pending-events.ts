import { pendingEventsMigration } from '#database'

export const pendingEvents = pendingEventsMigration('0003-pending-events')
