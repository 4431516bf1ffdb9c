import type { Migration } from '#database'
import { members } from './0001-members.ts'
import { auditTrail } from './0002-audit-trail.ts'
import { operatorsOwnProvider } from './0003-operators-own-provider.ts'

export const migrations: readonly Migration[] = [members, auditTrail, operatorsOwnProvider]
