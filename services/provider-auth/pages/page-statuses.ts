/** The HTTP status of each fixed page. */
export const pageStatuses = {
  client_id_invalid: 400,
  redirect_uri_invalid: 400,
  provider_invalid: 400,
  provider_unavailable: 400,
  no_provider: 400,
  parameters_malformed: 400,
  login_ended: 400,
  other_browser: 400,
  other_provider: 400,
  user_blocked: 403,
  site_invalid: 400,
  host_unknown: 421,
  callback_invalid: 400,
  post_logout_redirect_uri_invalid: 400,
  form_invalid: 400,
  bad_request: 400,
  not_found: 404,
  method_not_allowed: 405,
  too_many_logins: 429,
  unavailable: 503,
  defect: 500,
} as const

export type PageName = keyof typeof pageStatuses

/** The page for a status without a more specific page. */
export function findPageForStatus(status: number): PageName {
  if (status === 404) return 'not_found'
  if (status === 405) return 'method_not_allowed'
  if (status === 503) return 'unavailable'
  return status < 500 ? 'bad_request' : 'defect'
}

export function isPageName(name: string): name is PageName {
  return Object.hasOwn(pageStatuses, name)
}
