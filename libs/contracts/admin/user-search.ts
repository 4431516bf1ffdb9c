import { z } from 'zod'
import { UserSearchField, UserSearchSetting, UserSearchState } from '../objects/user-search.ts'
import { Provider } from '../providers.ts'
import { Count, Identifier, Text } from '../scalars.ts'
import { type AdminProcedure, adminProcedures } from './procedure.ts'
import { SiteReference } from './sites.ts'
import { AdminUser } from './users.ts'

/** What of a user a search found. IDs are always found by their exact value. */
const foundBy = ['identifier', 'primary_key', 'provider_user_id', ...UserSearchField.options, 'metadata'] as const

/** What a list shows of a user's profile and accounts. */
const summary = {
  name: z.string().nullable(),
  email: z.string().nullable(),
  /** Path of the picture in this Admin API (`fetchUserPicture`), which changes with the picture. */
  picture: z.string().nullable(),
  /** Of the linked accounts. */
  providers: z.array(Provider),
}

/** `profile`: without names and e-mail addresses, because the service is unavailable. */
const unavailable = z.array(z.enum(['profile']))

const FoundUser = AdminUser.extend({
  ...summary,
  /** What matches the search, and the providers that it comes from. */
  matches: z.array(z.object({ field: z.enum(foundBy), providers: z.array(Provider) })),
})

const SearchState = UserSearchState.extend({
  indexing: UserSearchState.shape.indexing
    .unwrap()
    .extend({
      /** Of the site. */
      users_total: Count,
    })
    .nullable(),
})

export const userSearchProcedures = adminProcedures({
  findUsers: {
    method: 'POST',
    path: '/accounts/{account}/sites/{site_id}/users/search',
    summary:
      'Find users by identifier, primary_key or provider account ID, and by e-mail address, phone number, the beginning of names, or a value of metadata such as `app_metadata.plan=gold`, as far as the site has switched these on; at most 50. Each search is recorded in the audit trail, without the searched text',
    role: 'viewer',
    readOnly: true,
    returnsPersonalData: true,
    personalFields: ['q'],
    input: SiteReference.extend({ q: Text.trim().min(1).max(255) }),
    output: z.object({
      users: z.array(FoundUser),
      /** Whether more users match. */
      more: z.boolean(),
      /** The fields by which the site can find users, in addition to IDs. */
      fields: z.array(UserSearchField),
      /** Whether stored profiles are still being indexed, so that users can be missing. */
      indexing: z.boolean(),
      /** With `profile`, only IDs were searched. */
      unavailable,
    }),
  },
  summarizeUsers: {
    method: 'POST',
    path: '/accounts/{account}/sites/{site_id}/users/summaries',
    summary:
      'The name, e-mail address and login providers of each user of a list; users who do not exist are absent. Each read is recorded in the audit trail',
    role: 'viewer',
    readOnly: true,
    mayBeStale: true,
    returnsPersonalData: true,
    help: { identifiers: 'the identifiers of the users, at most 100' },
    input: SiteReference.extend({ identifiers: z.array(Identifier).min(1).max(100) }),
    output: z.object({
      users: z.array(z.object({ identifier: Identifier, ...summary })),
      unavailable,
    }),
  },
  readUserSearch: {
    method: 'GET',
    path: '/accounts/{account}/sites/{site_id}/user-search',
    summary: 'By which fields of profiles users can be found, and the progress of indexing stored profiles',
    role: 'viewer',
    versioned: true,
    input: SiteReference,
    output: SearchState,
  },
  changeUserSearch: {
    method: 'PUT',
    path: '/accounts/{account}/sites/{site_id}/user-search',
    summary:
      'Change by which fields of profiles users can be found. Stored profiles are indexed in the background; terms of fields that are switched off are deleted',
    role: 'editor',
    versioned: true,
    reader: 'readUserSearch',
    section: { name: 'user_search', initial: { fields: [] } },
    form: 'user_search',
    help: { fields: 'by what users can be found: email, phone_number, name; none: by IDs only' },
    input: SiteReference.extend(UserSearchSetting.shape),
    output: SearchState,
  },
})

/**
 * The picture of a user. It is not a procedure, because its response is not JSON. Only who read the version in a list can fetch it, so
 * that the audit trail has each read.
 */
export const userPicture = {
  method: 'GET',
  path: '/accounts/{account}/sites/{site_id}/users/{identifier}/picture',
  summary:
    'The picture of a user as a small JPEG, which the service fetched from the provider and encoded again. The URL is `picture` of a list of users',
  role: 'viewer',
  input: SiteReference.extend({ identifier: Identifier, version: z.string().regex(/^[0-9a-f]{32}$/) }),
  faults: { not_found: 'The user has another picture or none, or it cannot be loaded.' },
} as const satisfies Omit<AdminProcedure, 'output'>
