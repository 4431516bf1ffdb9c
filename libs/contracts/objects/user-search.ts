import { z } from 'zod'
import { Count, Timestamp } from '../scalars.ts'

/** The parts of profiles by which a site can find users, if it switches them on. */
export const userSearchFields = ['email', 'phone_number', 'name'] as const
export const UserSearchField = z.enum(userSearchFields)
export type UserSearchField = z.infer<typeof UserSearchField>

/** By which parts of profiles the users of a site can be found. */
export const UserSearchSetting = z.object({
  fields: z
    .array(UserSearchField)
    .max(userSearchFields.length)
    .refine((fields) => new Set(fields).size === fields.length, 'must have each field once'),
})

/** Stored profiles are indexed in the background, and terms of fields that are switched off are deleted. */
export const UserSearchState = UserSearchSetting.extend({
  /** Null: every stored profile is indexed. */
  indexing: z.object({ started_at: Timestamp, users_indexed: Count }).nullable(),
  revision: Count,
})
export type UserSearchState = z.infer<typeof UserSearchState>
