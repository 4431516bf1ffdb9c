import type { Migration } from '#database'
import { initial } from './0001-initial.ts'

export const migrations: readonly Migration[] = [initial]
