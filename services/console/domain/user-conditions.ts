import type { z } from 'zod'
import type { userFilter } from '#admin-api'
import type { Link, User } from '#contracts'

/** Which users an export or a bulk change is for; all without a condition. */
export type UserConditions = z.output<z.ZodObject<typeof userFilter>>

/** The conditions that identity can list users by. */
export function toListFilter({ mapped, created_since, blocked }: UserConditions) {
  return {
    mapped,
    created_since: created_since === undefined ? undefined : Date.parse(created_since) / 1_000,
    ...(blocked === 'blocked_only' && { blocked: true as const }),
  }
}

/** Creates the test of the other conditions; undefined if there are none. */
export function createUserTest({ created_until, last_login_until, provider, blocked }: UserConditions) {
  if (
    [created_until, last_login_until, provider].every((condition) => condition === undefined) &&
    blocked !== 'not_blocked_only'
  )
    return undefined
  const createdUntil = parseTime(created_until)
  const lastLoginUntil = parseTime(last_login_until)
  return ({ user, links }: { readonly user: User; readonly links: readonly Link[] }): boolean =>
    Date.parse(user.created_at) < createdUntil &&
    (last_login_until === undefined || isBefore(user.last_logged_in_at, lastLoginUntil)) &&
    (provider === undefined || links.some((link) => link.provider === provider)) &&
    (blocked !== 'not_blocked_only' || user.block === undefined)
}

/** A user who never logged in did not log in before any time. */
function isBefore(time: string | null, until: number): boolean {
  return time !== null && Date.parse(time) < until
}

function parseTime(time: string | undefined): number {
  return time === undefined ? Number.POSITIVE_INFINITY : Date.parse(time)
}
