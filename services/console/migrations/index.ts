import type { Migration } from '#database'
import { members } from './0001-members.ts'
import { auditTrail } from './0002-audit-trail.ts'

export const migrations: readonly Migration[] = [members, auditTrail]
