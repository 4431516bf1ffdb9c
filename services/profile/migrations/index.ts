import type { Migration } from '#database'
import { profiles } from './0001-profiles.ts'

export const migrations: readonly Migration[] = [profiles]
