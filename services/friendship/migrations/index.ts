import type { Migration } from '#database'
import { initial } from './0001-initial.ts'
import { pendingEvents } from './0002-pending-events.ts'

export const migrations: readonly Migration[] = [initial, pendingEvents]
