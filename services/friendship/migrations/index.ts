import type { Migration } from '#database'
import { statuses } from './0001-statuses.ts'
import { mergesAndUnlinks } from './0002-merges-and-unlinks.ts'

export const migrations: readonly Migration[] = [statuses, mergesAndUnlinks]
