import type { Migration } from '#database'
import { statuses } from './0001-statuses.ts'

export const migrations: readonly Migration[] = [statuses]
