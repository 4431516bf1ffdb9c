import { roles } from 'virtual:contract'
import type { AdminInput, MemberSignIn, Role } from '../../admin/types.ts'

/** The settings of a provider as a form has them. */
export interface MemberProviderValues extends Record<string, unknown> {
  issuer: string
  client_id: string
  /** Empty: the stored one stays. */
  client_secret: string
  client_authentication: 'client_secret_post' | 'client_secret_basic'
  /** Separated by spaces. */
  scopes: string
  trust_email: boolean
  required: boolean
  role_claim: string
  /** Each as `formatRule` writes it. */
  role_rules: string[]
  default_role: string
}

export interface Rule {
  readonly value: string
  readonly role: Role
  /** Empty: in all sites. */
  readonly site_id: string
}

/** A rule as one text, e.g. `admins=owner` or `staff=viewer/shop`, which conflicts show. Values can contain any character. */
export function formatRule({ value, role, site_id }: Rule): string {
  return `${value}=${role}${site_id === '' ? '' : `/${site_id}`}`
}

export function parseRule(text: string): Rule {
  const at = text.lastIndexOf('=')
  const [role, siteId = ''] = text.slice(at + 1).split('/')
  return { value: text.slice(0, at), role: toRole(role ?? '') ?? 'viewer', site_id: siteId }
}

export function toRole(text: string): Role | null {
  return roles.find((role) => role === text) ?? null
}

export function toVersion({ provider, revision }: MemberSignIn): { values: MemberProviderValues; revision: number } {
  const rules = provider?.role_rules.map(({ site_id, ...rule }) => formatRule({ ...rule, site_id: site_id ?? '' }))
  return {
    values: {
      issuer: provider?.issuer ?? '',
      client_id: provider?.client_id ?? '',
      client_secret: '',
      client_authentication: provider?.client_authentication ?? 'client_secret_post',
      scopes: (provider?.scopes ?? ['openid', 'email', 'profile']).join(' '),
      trust_email: provider?.trust_email ?? false,
      required: provider?.required ?? false,
      role_claim: provider?.role_claim ?? '',
      role_rules: rules ?? [],
      default_role: provider?.default_role ?? '',
    },
    revision,
  }
}

export function toInput(account: string, values: MemberProviderValues): AdminInput<'saveMemberSignIn'> {
  const { issuer, client_id, client_secret, scopes, trust_email, required, role_claim, role_rules, default_role } =
    values
  const rules = role_rules.map(parseRule).filter(({ value }) => value.trim() !== '')
  return {
    account,
    issuer: issuer.trim(),
    client_id: client_id.trim(),
    ...(client_secret === '' ? {} : { client_secret }),
    client_authentication: values.client_authentication,
    scopes: scopes.split(/\s+/).filter((scope) => scope !== ''),
    trust_email,
    required,
    role_claim: role_claim.trim() === '' ? null : role_claim.trim(),
    role_rules: rules.map(({ site_id, ...rule }) => ({ ...rule, site_id: site_id === '' ? null : site_id })),
    default_role: toRole(default_role),
  }
}
