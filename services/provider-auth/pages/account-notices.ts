/** What the account page says once about what happened before. */
export const accountNotices = [
  'added',
  'removed',
  'session_ended',
  'sessions_ended',
  'access_removed',
  'logged_out',
  'deletion_canceled',
  'deletion_now',
  'cancelled',
  'last_account',
  'already_linked',
  'linked_to_another_user',
  'other_user',
  'unknown_user',
  'log_in_again',
  'form_expired',
  'provider_failed',
  'failed',
] as const
export type AccountNotice = (typeof accountNotices)[number]

/** Notices of what was done, rather than of what could not be done. */
export const successNotices: ReadonlySet<AccountNotice> = new Set([
  'added',
  'removed',
  'session_ended',
  'sessions_ended',
  'access_removed',
  'logged_out',
  'deletion_canceled',
  'deletion_now',
])
