import type { Migration } from '#database'
import { profiles } from './0001-profiles.ts'
import { mergesAndUnlinks } from './0002-merges-and-unlinks.ts'

export const migrations: readonly Migration[] = [profiles, mergesAndUnlinks]
