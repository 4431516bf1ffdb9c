import { jobsMigration, type Migration } from '#database'
import { initial } from './0001-initial.ts'
import { decidedAt } from './0002-decided-at.ts'

export const migrations: readonly Migration[] = [jobsMigration, initial, decidedAt]
