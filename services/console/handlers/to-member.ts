import { toTimestamp, toTimestampOrNull } from '#runtime'
import type { StoredMember } from '../store/members.ts'

/** Converts a member to the format of the Admin API; with an account, only with the role in this account. */
export function toMember({ created_at, last_signed_in_at, roles, ...member }: StoredMember, account?: string) {
  return {
    ...member,
    roles: roles.filter((role) => account === undefined || role.account === account),
    created_at: toTimestamp(created_at),
    last_signed_in_at: toTimestampOrNull(last_signed_in_at),
  }
}
