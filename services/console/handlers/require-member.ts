import { createReason } from '#admin-api'
import { AdminFault } from '../admin-fault.ts'
import type { Actor } from './admin-handler.ts'

/** Returns the ID of the signed-in member. @throws AdminFault `not_allowed` for a token */
export function requireMember({ member_id }: Actor): string {
  if (member_id === undefined) throw new AdminFault('not_allowed', { reason: createReason('members_only') })
  return member_id
}
