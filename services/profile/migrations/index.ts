import type { Migration } from '#database'
import { profiles } from './0001-profiles.ts'
import { mergesAndUnlinks } from './0002-merges-and-unlinks.ts'
import { whatSitesDoNotStore } from './0003-what-sites-do-not-store.ts'

export const migrations: readonly Migration[] = [profiles, mergesAndUnlinks, whatSitesDoNotStore]
