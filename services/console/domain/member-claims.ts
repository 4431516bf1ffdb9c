import { type AdminReason, createReason } from '#admin-api'
import { type ClaimedRoles, type MemberClaims, type RoleSettings, readClaimedRoles } from './claimed-roles.ts'

/** What decides about the sign-in of a member at the provider of an account. */
export interface MemberSettings extends RoleSettings {
  readonly issuer: string
  readonly trust_email: boolean
  /** The proven domains of the account. */
  readonly domains: readonly string[]
}

const googleIssuer = 'https://accounts.google.com'
const entraHost = 'login.microsoftonline.com'

/**
 * Reads who signs in from the claims of an account's provider: the roles, or the problem that prevents the sign-in. E-mail addresses
 * only limit who may sign in. They never identify a member: that is done by issuer and `sub` (OpenID Connect Core 5.7).
 */
export function readMember(claims: MemberClaims, settings: MemberSettings): ClaimedRoles {
  const provider = new URL(settings.issuer).hostname
  const roles = readClaimedRoles(claims, settings, provider)
  const problem =
    findEmailProblem(claims, settings, provider) ?? roles.problem ?? findRoleProblem(roles, settings, provider)
  return { ...roles, problem }
}

/** The name to show: of the member, else the e-mail address, else the subject. */
export function readName(claims: MemberClaims): string {
  const names = [claims.name, claims.preferred_username, claims.email, claims.sub]
  const name = names.find((one) => typeof one === 'string' && one.trim() !== '')
  // Control characters and bidirectional marks could make one name look like another one.
  return String(name ?? 'unknown')
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, '')
    .trim()
    .slice(0, 100)
}

/** The domain of an e-mail address in the form of host names; undefined if it has none. */
export function readDomain(email: unknown): string | undefined {
  const [, domain] = typeof email === 'string' ? (/^.+@([^@\\/:?#%[\]\s]+)$/.exec(email) ?? []) : []
  return domain === undefined ? undefined : URL.parse(`http://${domain}`)?.hostname
}

export function isEmailVerified({ email_verified, xms_edov }: MemberClaims, issuer: string): boolean {
  if (email_verified === true || email_verified === 'true') return true
  // Entra ID sends no email_verified; with this optional claim it states that the tenant owns the domain.
  return new URL(issuer).hostname === entraHost && ['true', '1'].includes(String(xms_edov))
}

function findEmailProblem(
  claims: MemberClaims,
  { issuer, trust_email, domains }: MemberSettings,
  provider: string,
): AdminReason | null {
  const domain = readDomain(claims.email)
  if (domain === undefined) return createReason('sign_in_email_missing', { provider })
  if (!domains.includes(domain)) return createReason('sign_in_domain_differs', { domain })
  // Anyone can open a private Google account with an address of the company, which Google verifies: it has no `hd`.
  if (issuer === googleIssuer && !domains.includes(String(claims.hd).toLowerCase())) {
    return createReason('sign_in_hosted_domain')
  }
  if (!trust_email && !isEmailVerified(claims, issuer)) return createReason('sign_in_email_unverified', { provider })
  return null
}

/** With roles by claim, they must give one. Otherwise owners give roles to members that the default role lets in. */
function findRoleProblem(
  { role, site_roles }: ClaimedRoles,
  { role_claim }: MemberSettings,
  provider: string,
): AdminReason | null {
  if (role !== null || Object.keys(site_roles).length > 0) return null
  if (role_claim === null) return createReason('sign_in_default_role_missing', { provider })
  return createReason('sign_in_role_missing', { provider, claim: role_claim })
}
