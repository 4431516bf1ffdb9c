import { z } from 'zod'
import { CombinedProfile, ProviderData } from '../objects/profile.ts'
import { Link, User } from '../objects/user.ts'
import { Provider } from '../providers.ts'
import { Count, Identifier, Timestamp } from '../scalars.ts'
import { adminProcedures } from './procedure.ts'
import { SiteName } from './sites.ts'

const UserName = SiteName.extend({ identifier: Identifier })
const period = z.string().regex(/^[1-9]\d{0,8}[smhd]$/, 'must be a whole number and s, m, h or d')

/** How a credential stands; token values are never told. */
export const CredentialState = z.object({
  provider: Provider,
  expires_at: Timestamp.nullable(),
  can_refresh: z.boolean(),
  needs_reauth: z.boolean(),
  updated_at: Timestamp,
})

export const UserDetail = z.object({
  user: User,
  links: z.array(Link),
  /** Newest first. */
  logins: z.array(z.object({ provider: Provider, logged_in_at: Timestamp })),
  profile_prohibited: z.boolean(),
  profile: CombinedProfile,
  by_provider: z.partialRecord(Provider, ProviderData),
  credentials: z.array(CredentialState),
  friendship_status: z.boolean().nullable(),
  /** Parts that could not be told, as their service is away. */
  unavailable: z.array(z.enum(['profile', 'credentials', 'friendship'])),
})

export const userProcedures = adminProcedures({
  listUsers: {
    method: 'GET',
    path: '/accounts/{account}/sites/{site_id}/users',
    summary: 'Users of a site, newest first; the filters are those of the Web API’s `users`',
    role: 'viewer',
    input: SiteName.extend({
      limit: z.coerce.number().pipe(z.int().min(1).max(100)).default(20),
      page: z.coerce.number().pipe(Count).default(0),
      created_within: period.optional(),
      last_login_within: period.optional(),
      mapped: z.enum(['mapped_only', 'not_mapped_only']).optional(),
    }),
    output: z.object({ users: z.array(User), total: Count }),
  },
  findUsers: {
    method: 'GET',
    path: '/accounts/{account}/sites/{site_id}/users/search',
    summary: 'The users that an identifier, a primary_key or a provider account’s id denotes, exactly',
    role: 'viewer',
    input: SiteName.extend({ q: z.string().trim().min(1).max(255) }),
    output: z.object({ users: z.array(User) }),
  },
  readUser: {
    method: 'GET',
    path: '/accounts/{account}/sites/{site_id}/users/{identifier}',
    summary: 'All there is about a user, without token values',
    role: 'viewer',
    input: UserName,
    output: UserDetail,
  },
  deleteUserProfile: {
    method: 'DELETE',
    path: '/accounts/{account}/sites/{site_id}/users/{identifier}/profile',
    summary: 'Delete a user’s profile data; with `prohibit` none is stored afterwards either',
    role: 'editor',
    sensitive: true,
    input: UserName.extend({ prohibit: z.stringbool().default(false) }),
    output: z.object({}),
  },
  deleteUser: {
    method: 'DELETE',
    path: '/accounts/{account}/sites/{site_id}/users/{identifier}',
    summary: 'Delete a user and all data about it, for good',
    role: 'owner',
    sensitive: true,
    input: UserName,
    output: z.object({}),
  },
  unlinkProvider: {
    method: 'DELETE',
    path: '/accounts/{account}/sites/{site_id}/users/{identifier}/links/{provider}',
    summary: 'Unlink a provider; the last one only with `force`',
    role: 'editor',
    sensitive: true,
    input: UserName.extend({ provider: Provider, force: z.stringbool().default(false) }),
    output: z.object({}),
    faults: { conflict: 'It is the last provider, and the user could not log in any more.' },
  },
  previewMerge: {
    method: 'GET',
    path: '/accounts/{account}/sites/{site_id}/users/{identifier}/merge-preview',
    summary: 'What the user would be after another one, `source`, was merged into it',
    role: 'viewer',
    input: UserName.extend({ source: Identifier }),
    output: z.object({
      possible: z.boolean(),
      /** Why not, in words. */
      reason: z.string().nullable(),
      before: z.object({ source: User, destination: User }),
      after: z.object({ user: User, links: z.array(Link), profile: CombinedProfile }),
    }),
  },
  mergeUsers: {
    method: 'POST',
    path: '/accounts/{account}/sites/{site_id}/users/{identifier}/merge',
    summary: 'Merge another user, `source`, into this one; the source is deleted',
    role: 'owner',
    sensitive: true,
    input: UserName.extend({ source: Identifier }),
    output: z.object({}),
    faults: { conflict: 'Both have an account of one provider; unlink one of them first.' },
  },
})
