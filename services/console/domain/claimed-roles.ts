import { type AdminReason, createReason, type Role, type RoleRule, type SiteRoles } from '#admin-api'
import { isRoleAtLeast } from './roles.ts'

/** Claims of an ID Token and of userinfo. */
export type MemberClaims = Readonly<Record<string, unknown>>

export interface RoleSettings {
  readonly role_claim: string | null
  readonly role_rules: readonly RoleRule[]
  readonly default_role: Role | null
}

/** What claims say about roles. Without a role and a problem, the claims give none. */
export interface ClaimedRoles {
  /** Values of the role claim; null: it is missing or not configured. */
  readonly values: readonly string[] | null
  /** The role in all sites of the account. */
  readonly role: Role | null
  readonly site_roles: SiteRoles
  /** Why the roles could not be read. */
  readonly problem: AdminReason | null
}

/**
 * Reads the roles from claims by the rules of an account. Several rules can match: the highest role applies. The default role applies to
 * members for which no rule matches, also when the claim is missing.
 *
 * @param provider its host name, for messages
 */
export function readClaimedRoles(claims: MemberClaims, settings: RoleSettings, provider: string): ClaimedRoles {
  const { role_claim: claim, role_rules, default_role } = settings
  if (claim === null) return { values: null, role: default_role, site_roles: {}, problem: null }
  const value = readClaimAt(claims, claim)
  const values = toValues(value)
  if (isOverage(claims, claim)) return fail(createReason('sign_in_groups_overage', { provider, claim }))
  if (values === undefined && value !== undefined && value !== null) {
    return fail(createReason('sign_in_claim_type', { provider, claim }))
  }
  if (values === undefined && default_role === null) {
    return fail(createReason('sign_in_claim_missing', { provider, claim }))
  }
  const matching = role_rules.filter((rule) => values?.includes(rule.value) ?? false)
  if (matching.length === 0) return { values: values ?? null, role: default_role, site_roles: {}, problem: null }
  const roleOf = (siteId: string | null) =>
    matching
      .filter(({ site_id }) => site_id === siteId)
      .reduce<Role | null>((high, { role }) => higher(high, role), null)
  const siteIds = new Set(matching.flatMap(({ site_id }) => (site_id === null ? [] : [site_id])))
  const siteRoles: [string, Role][] = [...siteIds].flatMap((siteId) => {
    const role = roleOf(siteId)
    return role === null ? [] : [[siteId, role]]
  })
  return { values: values ?? null, role: roleOf(null), site_roles: Object.fromEntries(siteRoles), problem: null }
}

function fail(problem: AdminReason): ClaimedRoles {
  return { values: null, role: null, site_roles: {}, problem }
}

function higher(one: Role | null, other: Role): Role {
  return one !== null && isRoleAtLeast(one, other) ? one : other
}

/** Finds a claim by its name, which can contain dots (`https://example.com/roles`), else by the path (`realm_access.roles`). */
export function readClaimAt(claims: MemberClaims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path]
  return path.split('.').reduce<unknown>((at, step) => {
    return typeof at === 'object' && at !== null && Object.hasOwn(at, step) ? Reflect.get(at, step) : undefined
  }, claims)
}

function toValues(value: unknown): string[] | undefined {
  if (typeof value === 'string') return [value]
  return Array.isArray(value) && value.every((one) => typeof one === 'string') ? value : undefined
}

/**
 * Whether Entra ID left the groups out because there are more than 200: it then refers to its own API (`_claim_names`, or
 * `hasgroups` in the implicit flow).
 */
function isOverage(claims: MemberClaims, claim: string): boolean {
  const names = claims._claim_names
  const isReferred = typeof names === 'object' && names !== null && Object.hasOwn(names, claim)
  return isReferred || (claim === 'groups' && claims.groups === undefined && String(claims.hasgroups) === 'true')
}
