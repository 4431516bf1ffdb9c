import { toTimestamp, toTimestampOrNull } from '#runtime'
import type { StoredMember } from '../store/members.ts'

/** A member as the Admin API tells of them; with an account, nothing of their roles elsewhere. */
export function tellMember({ created_at, last_signed_in_at, roles, ...member }: StoredMember, account?: string) {
  return {
    ...member,
    roles: roles.filter((role) => account === undefined || role.account === account),
    created_at: toTimestamp(created_at),
    last_signed_in_at: toTimestampOrNull(last_signed_in_at),
  }
}
