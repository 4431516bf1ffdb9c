import { pendingEventsMigration } from '#database'

export const pendingEvents = pendingEventsMigration('0005-pending-events')
