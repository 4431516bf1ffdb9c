import { z } from 'zod'
import { Consent } from '../objects/consent.ts'
import { Metadata } from '../objects/metadata.ts'
import { CombinedProfile, ProviderData } from '../objects/profile.ts'
import { Link, User as StoredUser, UserDeletion } from '../objects/user.ts'
import { UserBlock } from '../objects/user-block.ts'
import { UserSort, userFilter } from '../objects/user-filter.ts'
import { Provider } from '../providers.ts'
import { Count, Identifier, Timestamp } from '../scalars.ts'
import { adminProcedures } from './procedure.ts'
import { SiteReference } from './sites.ts'

/** `link_id` is internal. */
export const LinkedAccount = Link.omit({ link_id: true })

/** When sessions were ended is internal. */
export const AdminUser = StoredUser.omit({ sessions_ended_at: true })
const User = AdminUser

const ListedUser = User.extend({
  /** Whether the user asked to be deleted or is announced as inactive, and the deletion is waiting. */
  to_be_deleted: z.boolean(),
})

/** Names a user of a site. */
export const AdminUserReference = SiteReference.extend({ identifier: Identifier })
const period = z.string().regex(/^[1-9]\d{0,8}[smhd]$/, 'must be a whole number and s, m, h or d')

/** State of a provider credential, without token values. */
export const CredentialState = z.object({
  provider: Provider,
  expires_at: Timestamp.nullable(),
  can_refresh: z.boolean(),
  needs_reauth: z.boolean(),
  updated_at: Timestamp,
})

export const UserDetail = z.object({
  user: User,
  links: z.array(LinkedAccount),
  /** Newest first. */
  logins: z.array(z.object({ provider: Provider, logged_in_at: Timestamp })),
  profile_prohibited: z.boolean(),
  profile: CombinedProfile,
  by_provider: z.partialRecord(Provider, ProviderData),
  credentials: z.array(CredentialState),
  friendship_status: z.boolean().nullable(),
  /** What the user asked for on the account page. */
  deletion: UserDeletion.nullable(),
  /** Parts that are missing because their service is unavailable. */
  unavailable: z.array(z.enum(['profile', 'credentials', 'friendship'])),
})

export const adminUserProcedures = adminProcedures({
  listUsers: {
    method: 'GET',
    path: '/accounts/{account}/sites/{site_id}/users',
    summary:
      'Users of a site, newest first or in another order. The conditions are those of `users` in the Web API, and those of bulk changes and exports; a user meets all of them',
    role: 'viewer',
    mayBeStale: true,
    help: {
      sort: 'created, last_login or logins',
      order: 'desc: newest or most first; asc',
      after: 'next of the previous page, in the same order; replaces page, and stays stable while users are created',
    },
    input: SiteReference.extend({
      limit: z.coerce.number().pipe(z.int().min(1).max(100)).default(20),
      /**
       * From 0. New users shift pages while you read them; with `after`, pages stay stable. Only for the default order and the
       * conditions of the Web API.
       */
      page: z.coerce.number().pipe(Count).default(0),
      /** `next` of the previous page, in the same order; replaces `page`. */
      after: z
        .string()
        .regex(/^(?:[lcn]-?\d{1,16}\.)?\d{1,10}\.[\x21-\x7e]{1,40}$/, 'must be next of the previous page')
        .optional(),
      /** By last login, users who never logged in follow the others, in the order of their creation. */
      sort: UserSort.default('created'),
      order: z.enum(['desc', 'asc']).default('desc'),
      created_within: period.optional(),
      last_login_within: period.optional(),
      ...userFilter,
    }),
    output: z.object({
      /** Can be fewer than `limit`, or none, although more follow: see `next`. */
      users: z.array(ListedUser),
      /** Null: not counted, because each matching user would have to be read. */
      total: Count.nullable(),
      /** Null if no users follow. */
      next: z.string().nullable(),
    }),
  },
  readUser: {
    method: 'GET',
    path: '/accounts/{account}/sites/{site_id}/users/{identifier}',
    summary: 'All data of a user, without token values. Each read is recorded in the audit trail',
    role: 'viewer',
    returnsPersonalData: true,
    input: AdminUserReference,
    output: UserDetail,
  },
  deleteUserProfile: {
    method: 'DELETE',
    path: '/accounts/{account}/sites/{site_id}/users/{identifier}/profile',
    summary: 'Delete a user’s profile data. With `prohibit`, none is stored afterwards',
    role: 'editor',
    sensitive: true,
    input: AdminUserReference.extend({ prohibit: z.stringbool().default(false) }),
    output: z.object({}),
  },
  blockUser: {
    method: 'PUT',
    path: '/accounts/{account}/sites/{site_id}/users/{identifier}/block',
    summary: 'Block a user, or change the block. No login succeeds, and sessions and tokens end at once',
    role: 'editor',
    sensitive: true,
    help: {
      reason: 'why, for other administrators',
      until: 'when the block ends, e.g. 2030-01-31T10:00:00Z; none: when the user is unblocked',
    },
    input: AdminUserReference.extend({
      reason: UserBlock.shape.reason.default(null),
      until: UserBlock.shape.until.default(null),
    }),
    output: z.object({}),
  },
  unblockUser: {
    method: 'DELETE',
    path: '/accounts/{account}/sites/{site_id}/users/{identifier}/block',
    summary: 'Let a blocked user log in again',
    role: 'editor',
    sensitive: true,
    input: AdminUserReference,
    output: z.object({}),
  },
  cancelUserDeletion: {
    method: 'DELETE',
    path: '/accounts/{account}/sites/{site_id}/users/{identifier}/deletion',
    summary: 'Keep a user who asked on the account page to be deleted',
    role: 'editor',
    sensitive: true,
    input: AdminUserReference,
    output: z.object({}),
  },
  deleteUser: {
    method: 'DELETE',
    path: '/accounts/{account}/sites/{site_id}/users/{identifier}',
    summary: 'Delete a user and all their data permanently',
    role: 'owner',
    sensitive: true,
    input: AdminUserReference,
    output: z.object({}),
  },
  unlinkProvider: {
    method: 'DELETE',
    path: '/accounts/{account}/sites/{site_id}/users/{identifier}/links/{provider}',
    summary: 'Unlink a provider. The last one requires `force`',
    role: 'editor',
    sensitive: true,
    input: AdminUserReference.extend({ provider: Provider, force: z.stringbool().default(false) }),
    output: z.object({}),
    faults: { conflict: 'This is the last provider of the user, who could not log in afterwards.' },
  },
  previewMerge: {
    method: 'GET',
    path: '/accounts/{account}/sites/{site_id}/users/{identifier}/merge-preview',
    summary:
      'Preview of the user after the user `source` is merged into them. Each read is recorded in the audit trail',
    role: 'viewer',
    returnsPersonalData: true,
    input: AdminUserReference.extend({ source: Identifier }),
    output: z.object({
      possible: z.boolean(),
      /** Why the merge is not possible. */
      reason: z.string().nullable(),
      before: z.object({ source: User, destination: User }),
      after: z.object({
        user: User,
        links: z.array(LinkedAccount),
        profile: CombinedProfile,
        /** Absent during an update, while not all services have it. */
        metadata: Metadata.optional(),
        /** The answers to the site's documents. Absent during an update, while not all services have them. */
        consents: z.array(Consent).optional(),
      }),
    }),
  },
  mergeUsers: {
    method: 'POST',
    path: '/accounts/{account}/sites/{site_id}/users/{identifier}/merge',
    summary: 'Merge the user `source` into this user. The source user is deleted',
    role: 'owner',
    sensitive: true,
    input: AdminUserReference.extend({ source: Identifier }),
    output: z.object({}),
    faults: { conflict: 'Both users have an account of the same provider. Unlink one of them first.' },
  },
})
