import { z } from 'zod'
import { Identifier } from '#contracts'

/** The pages to which a login of the account page returns. */
export const accountPlaces = ['overview', 'add', 'remove', 'end_others', 'application', 'download', 'delete'] as const

/** A login that the account page starts: to open it, to do what cannot be undone, or to link another account. */
export const AccountRequest = z.object({
  response_type: z.literal('account_page'),
  /** Where the browser returns to. */
  place: z.enum(accountPlaces),
  /** The provider whose account, or the application that the page is about; null: all. */
  subject: z.string().nullable().default(null),
  /** The user who has to log in again; null: any user of the site. */
  hinted_identifier: Identifier.nullable().default(null),
  /** The user to link the account to, which is not a login; null: a login. */
  link_to: Identifier.nullable().default(null),
  /** The page's logins have no state of an application. */
  state: z.null().default(null),
})
export type AccountRequest = z.infer<typeof AccountRequest>
