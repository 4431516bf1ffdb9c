import type { z } from 'zod'
import type { AuditEntry } from '#admin-api'
import { toTimestamp } from '#runtime'
import type { StoredEntry } from '../store/audit-trail.ts'

/** Converts an entry to what the Admin API returns, and streams send. */
export function toAuditEntry(stored: StoredEntry): z.input<typeof AuditEntry> {
  const { entry, at, action, account, site_id, actor, actor_kind, member_id, token_id, address, request_id } = stored
  const { outcome, fault, before, after } = stored
  return {
    entry: String(entry),
    at: toTimestamp(at),
    action,
    account,
    site_id,
    actor,
    actor_kind,
    member_id,
    token_id,
    address,
    request_id,
    outcome,
    fault,
    before,
    after,
  }
}
