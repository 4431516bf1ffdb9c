import { z } from 'zod'
import { limits } from '../limits.ts'
import { HostName } from '../objects/site-host.ts'
import { Count, Slug, Text, Timestamp } from '../scalars.ts'
import { SiteRoles } from './members.ts'
import { adminProcedures, roles } from './procedure.ts'

const Role = z.enum(roles)

/** Members whose role claim has the value get the role: in the account, or in one site. */
export const RoleRule = z.object({
  value: Text.min(1).max(255),
  role: Role,
  /** Null: in all sites of the account. */
  site_id: Slug.nullable().default(null),
})
export type RoleRule = z.infer<typeof RoleRule>

/** The OpenID Provider of an account, without its secret. */
export const accountProviderSettings = {
  /** Exactly as in the provider's discovery document. */
  issuer: Text.max(500).pipe(z.url({ protocol: /^https?$/ })),
  client_id: Text.min(1).max(255),
  /** How the secret is sent to the token endpoint. */
  client_authentication: z.enum(['client_secret_post', 'client_secret_basic']).default('client_secret_post'),
  /** Requested scopes. `openid` is always requested. */
  scopes: z
    .array(Text.max(100).regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/))
    .max(20)
    .default(['openid', 'email', 'profile']),
  /** Accept e-mail addresses that the provider does not state to be verified. */
  trust_email: z.boolean().default(false),
  /** Members of the account can enter it only through this provider. Operators are excepted. */
  required: z.boolean().default(false),
  /** Path of the claim with groups or roles, such as `groups` or `realm_access.roles`; null: owners give roles. */
  role_claim: Text.min(1).max(255).nullable().default(null),
  role_rules: z.array(RoleRule).max(limits.sign_in_role_rules).default([]),
  /** Role of members without a matching rule; null: they cannot sign in. */
  default_role: Role.nullable().default(null),
} as const

/** A domain of e-mail addresses of an account. */
export const SignInDomain = z.object({
  domain: z.string(),
  /** The TXT record that proves the domain. */
  txt_name: z.string(),
  txt_value: z.string(),
  /** Who proved it; null: it is not proven, and has no effect. */
  proven_by: z.enum(['dns', 'operator']).nullable(),
  proven_at: Timestamp.nullable(),
})

export const MemberSignIn = z.object({
  /** Null: members sign in with passkeys, or at the operator's own provider. */
  provider: z.object(accountProviderSettings).nullable(),
  /** To register at the provider. */
  redirect_uri: z.string(),
  domains: z.array(SignInDomain),
  /** 0: there is no provider. */
  revision: Count,
})

/** The roles that claims give, or why the member cannot sign in. */
export const RolePreview = z.object({
  /** Values of the role claim; null: it is missing or not configured. */
  values: z.array(z.string()).nullable(),
  role: Role.nullable(),
  site_roles: SiteRoles,
  /** Why the member cannot sign in; null: nothing prevents it. */
  problem: z
    .object({ reason: z.string(), message: z.string(), parameters: z.record(z.string(), z.string()) })
    .nullable(),
})
export type RolePreview = z.infer<typeof RolePreview>

const AccountReference = z.object({ account: Slug })
const DomainReference = AccountReference.extend({ domain: HostName })

/** Sign-in of an account's members at its own OpenID Provider. */
export const memberSignInProcedures = adminProcedures({
  readMemberSignIn: {
    method: 'GET',
    path: '/accounts/{account}/sign-in',
    summary: 'How members of an account sign in: its own OpenID Provider, its domains, and roles by claim',
    role: 'owner',
    versioned: true,
    input: AccountReference,
    output: MemberSignIn,
  },
  saveMemberSignIn: {
    method: 'PUT',
    path: '/accounts/{account}/sign-in',
    summary:
      'Replace the settings of the OpenID Provider of an account. With another issuer or client ID, sessions of its members end immediately',
    role: 'owner',
    sensitive: true,
    versioned: true,
    form: 'member_sign_in',
    help: {
      client_id: 'client ID of this console at the OpenID Provider',
      client_secret: 'client secret of this console at the OpenID Provider; omitted: the stored one stays',
    },
    input: AccountReference.extend({
      ...accountProviderSettings,
      /** Omitted: the stored one stays, if issuer and client ID do. */
      client_secret: Text.min(1).max(1_000).optional(),
    }),
    output: MemberSignIn,
    faults: {
      invalid_request: 'The provider cannot be reached, its issuer differs, or a site of `role_rules` does not exist.',
      conflict: 'No one could manage the account: no owner has signed in at this provider yet.',
    },
  },
  removeMemberSignIn: {
    method: 'DELETE',
    path: '/accounts/{account}/sign-in',
    summary: 'Remove the OpenID Provider of an account. Sessions of its members end immediately; its domains stay',
    role: 'owner',
    sensitive: true,
    versioned: true,
    input: AccountReference,
    output: z.object({}),
  },
  addSignInDomain: {
    method: 'POST',
    path: '/accounts/{account}/sign-in/domains',
    summary: 'Claim a domain of e-mail addresses. It has an effect once a TXT record or an operator proves it',
    role: 'owner',
    sensitive: true,
    form: 'sign_in_domain',
    input: DomainReference,
    output: SignInDomain,
    faults: { invalid_request: `The account has ${limits.sign_in_domains} domains.` },
  },
  checkSignInDomain: {
    method: 'POST',
    path: '/accounts/{account}/sign-in/domains/{domain}/checks',
    summary: 'Look for the TXT record of a domain now',
    role: 'owner',
    input: DomainReference,
    output: SignInDomain,
    faults: { conflict: 'The TXT record is missing or different, or another account has proven the domain.' },
  },
  confirmSignInDomain: {
    method: 'POST',
    path: '/accounts/{account}/sign-in/domains/{domain}/confirmation',
    summary: 'Confirm as an operator that a domain belongs to the account, without a TXT record',
    role: 'operator',
    sensitive: true,
    input: DomainReference,
    output: SignInDomain,
    faults: { conflict: 'Another account has proven the domain.' },
  },
  removeSignInDomain: {
    method: 'DELETE',
    path: '/accounts/{account}/sign-in/domains/{domain}',
    summary: 'Remove a domain. Members with e-mail addresses of it can no longer sign in at the provider',
    role: 'owner',
    sensitive: true,
    input: DomainReference,
    output: z.object({}),
    faults: { conflict: 'It is the last proven domain, and members can sign in only at the provider.' },
  },
  previewMemberRoles: {
    method: 'POST',
    path: '/accounts/{account}/sign-in/preview',
    summary: 'The roles that the claims of a member would give, with the stored settings. Nothing changes',
    role: 'owner',
    readOnly: true,
    help: { claims: 'claims as the OpenID Provider sends them: a file of JSON or YAML' },
    input: AccountReference.extend({ claims: z.record(z.string(), z.unknown()) }),
    output: RolePreview,
    faults: { not_found: 'The account has no OpenID Provider.' },
  },
  readTestSignIn: {
    method: 'GET',
    path: '/accounts/{account}/sign-in/tests/{test_id}',
    summary: 'The result of a test sign-in: what the provider sent that matters, and the roles it would give',
    role: 'owner',
    input: AccountReference.extend({ test_id: z.uuid() }),
    output: RolePreview.extend({
      subject: z.string(),
      email: z.string().nullable(),
      email_verified: z.boolean(),
      /** Names of all claims. */
      claims: z.array(z.string()),
    }),
    faults: { not_found: 'It did not end yet, or its result was deleted after ten minutes.' },
  },
})
