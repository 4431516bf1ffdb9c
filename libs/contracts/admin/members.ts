import { z } from 'zod'
import { Slug, Text, Timestamp } from '../scalars.ts'
import { adminProcedures, roles } from './procedure.ts'

const Role = z.enum(roles)

/** Roles in single sites, by site_id, in addition to the role in the whole account. */
export const SiteRoles = z.record(Slug, Role)
export type SiteRoles = z.infer<typeof SiteRoles>

/** The role in the whole account; null: only in the sites of `site_roles`. */
const rolesInAccount = { role: Role.nullable(), site_roles: SiteRoles.default({}) } as const

export const Member = z.object({
  member_id: z.uuid(),
  name: z.string(),
  /** Operators have full access to every account. */
  operator: z.boolean(),
  /** With `site_id` null, the role is for all sites of the account; otherwise for this site only. */
  roles: z.array(z.object({ account: Slug, site_id: Slug.nullable(), role: Role })),
  passkeys: z.int(),
  last_signed_in_at: Timestamp.nullable(),
  created_at: Timestamp,
})

const Passkey = z.object({
  passkey_id: z.string(),
  name: z.string(),
  created_at: Timestamp,
  last_used_at: Timestamp.nullable(),
})

export const memberProcedures = adminProcedures({
  readMe: {
    method: 'GET',
    path: '/me',
    summary: 'Your member, roles, sessions and passkeys',
    role: 'member',
    input: z.object({}),
    output: z.object({
      member: Member,
      /** How you authenticated. */
      by: z.enum(['session', 'token']),
      passkeys: z.array(Passkey),
      /** Host name of the OpenID Provider where you can sign in: of your account, or the operator’s own; else null. */
      provider: z.string().nullable(),
      sessions: z.array(
        z.object({
          session_id: z.string(),
          current: z.boolean(),
          started_at: Timestamp,
          last_seen_at: Timestamp,
          browser: z.string(),
        }),
      ),
      /** Until when sensitive changes need no new confirmation with a passkey. */
      confirmed_until: Timestamp.nullable(),
    }),
  },
  endSession: {
    method: 'DELETE',
    path: '/me/sessions/{session_id}',
    summary: 'End one of your sessions',
    role: 'member',
    input: z.object({ session_id: Text }),
    output: z.object({}),
  },
  removePasskey: {
    method: 'DELETE',
    path: '/me/passkeys/{passkey_id}',
    summary: 'Remove one of your passkeys',
    role: 'member',
    sensitive: true,
    input: z.object({ passkey_id: Text }),
    output: z.object({}),
    faults: { conflict: 'It is your only way to sign in. Add another passkey first.' },
  },
  listMembers: {
    method: 'GET',
    path: '/accounts/{account}/members',
    summary: 'Members of an account',
    role: 'viewer',
    input: z.object({ account: Slug }),
    output: z.object({
      members: z.array(Member),
      invitations: z.array(
        z.object({
          invitation_id: z.uuid(),
          name: z.string(),
          role: Role.nullable(),
          site_roles: SiteRoles,
          expires_at: Timestamp,
        }),
      ),
    }),
  },
  inviteMember: {
    method: 'POST',
    path: '/accounts/{account}/invitations',
    summary: 'Invite a member by a single-use link',
    role: 'owner',
    sensitive: true,
    form: 'member',
    help: {
      name: 'name of the invited person',
      role: 'role in all sites of the account; none: only in the sites of site_roles',
    },
    input: z.object({ account: Slug, name: Text.trim().min(1).max(100), ...rolesInAccount }),
    output: z.object({ invitation_id: z.uuid(), link: z.string(), expires_at: Timestamp }),
    faults: {
      not_found: 'The account does not exist.',
      invalid_request: 'It has no role, or the account does not have a site of `site_roles`.',
    },
  },
  withdrawInvitation: {
    method: 'DELETE',
    path: '/accounts/{account}/invitations/{invitation_id}',
    summary: 'Withdraw an invitation',
    role: 'owner',
    input: z.object({ account: Slug, invitation_id: z.uuid() }),
    output: z.object({}),
  },
  changeMember: {
    method: 'PUT',
    path: '/accounts/{account}/members/{member_id}',
    summary:
      'Replace the roles of a member in the account and its sites. Tokens with a higher role that the member issued are revoked immediately',
    role: 'owner',
    sensitive: true,
    help: { role: 'role in all sites of the account; none: only in the sites of site_roles' },
    input: z.object({ account: Slug, member_id: z.uuid(), ...rolesInAccount }),
    output: z.object({}),
    faults: {
      conflict: 'The member is the last owner of the account.',
      invalid_request: 'The member would have no role, or the account does not have a site of `site_roles`.',
    },
  },
  removeMember: {
    method: 'DELETE',
    path: '/accounts/{account}/members/{member_id}',
    summary:
      'Remove a member from the account. Their sessions and the tokens they issued for the account are revoked immediately',
    role: 'owner',
    sensitive: true,
    input: z.object({ account: Slug, member_id: z.uuid() }),
    output: z.object({}),
    faults: { conflict: 'The member is the last owner of the account.' },
  },
  listTokens: {
    method: 'GET',
    path: '/accounts/{account}/tokens',
    summary: 'Tokens for automation',
    role: 'owner',
    input: z.object({ account: Slug }),
    output: z.object({
      tokens: z.array(
        z.object({
          token_id: z.uuid(),
          name: z.string(),
          role: Role,
          /** The sites that the token is limited to; null: all sites of the account, and the account itself. */
          sites: z.array(Slug).nullable(),
          created_at: Timestamp,
          expires_at: Timestamp,
          last_used_at: Timestamp.nullable(),
        }),
      ),
    }),
  },
  issueToken: {
    method: 'POST',
    path: '/accounts/{account}/tokens',
    summary: 'Issue a token for automation, which is returned in this response only',
    role: 'owner',
    sensitive: true,
    form: 'token',
    help: { sites: 'the token is for these sites only; none: for all sites of the account, and the account itself' },
    input: z.object({
      account: Slug,
      name: Text.trim().min(1).max(100),
      /** In the account, or in each of the sites. */
      role: Role,
      /** Only in these sites; null: in all sites of the account, and for the account itself. */
      sites: z.array(Slug).min(1).max(100).nullable().default(null),
      expires_in_days: z.int().min(1).max(366).default(90),
    }),
    output: z.object({ token_id: z.uuid(), token: z.string(), expires_at: Timestamp }),
    faults: {
      invalid_request:
        'It would expire after the token that issues it, or the account does not have a site of `sites`.',
    },
  },
  revokeToken: {
    method: 'DELETE',
    path: '/accounts/{account}/tokens/{token_id}',
    summary: 'Revoke a token',
    role: 'owner',
    input: z.object({ account: Slug, token_id: z.uuid() }),
    output: z.object({}),
  },
})
