/** What an error page says. Fixed texts alone: nothing of a request is ever printed (OWASP ASVS 3.2.2). */
export interface PageText {
  /** What happened, for the person. */
  readonly heading: string
  /** What is wrong, for the application's developer; the specification's wording where it gives one, in any language. */
  readonly message: string
  /** What to do. */
  readonly advice: string
}

/** What the page says that asks a person whether to link an account. */
export interface ConfirmationText {
  readonly heading: string
  readonly promise: string
  readonly application: string
  readonly account: string
  readonly linked: string
  readonly linked_account: string
  readonly caution: string
  readonly go: string
  readonly cancel: string
}

/** What the page says of a request for deletion that was carried out. */
export interface DeletionText {
  readonly heading: string
  readonly done: string
  readonly rest: string
  readonly completed: string
  readonly code: string
}

/** Everything the pages say, in one language. */
export interface Texts {
  readonly request_id: string
  readonly pages: Readonly<Record<PageName, PageText>>
  readonly choice: {
    /** @param application the client's name */
    readonly heading: (application: string) => string
    readonly explanation: string
    /** @param provider the site's own name for it */
    readonly way: (provider: string) => string
  }
  /** @param provider its display name */
  readonly confirmation: (provider: string) => ConfirmationText
  readonly logout: {
    readonly question: {
      /** @param application the client's name, where a client is known */
      readonly heading: (application: string | undefined) => string
      readonly explanation: string
      /** @param provider its display name */
      readonly provider: (provider: string) => string
      readonly go: string
      readonly stay: string
    }
    readonly ended: {
      readonly heading: string
      /** @param provider its display name */
      readonly provider: (provider: string) => string
      /** Where the provider is not known. */
      readonly any_provider: string
    }
  }
  /** @param provider its display name */
  readonly deletion: (provider: string) => DeletionText
}

/** The HTTP status of each fixed page. */
export const statuses = {
  client_id_invalid: 400,
  redirect_uri_invalid: 400,
  provider_invalid: 400,
  provider_unavailable: 400,
  no_provider: 400,
  parameters_malformed: 400,
  login_ended: 400,
  other_browser: 400,
  other_provider: 400,
  site_invalid: 400,
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

export type PageName = keyof typeof statuses

/** The page for a status nobody rendered anything for. */
export function pageForStatus(status: number): PageName {
  if (status === 404) return 'not_found'
  if (status === 405) return 'method_not_allowed'
  return status < 500 ? 'bad_request' : 'defect'
}
