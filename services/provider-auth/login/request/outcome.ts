import type { SiteProviderSettings } from '../../domain/provider-settings.ts'
import type { AccountView } from '../../pages/account-view.ts'
import type { PageName } from '../../pages/page-statuses.ts'
import type { FormPost, LinkConfirmation, ProviderChoice } from '../../pages/render.ts'
import type { TermsView } from '../../pages/render-terms.ts'

/**
 * Steps: `prompted` (the end user has to confirm or choose), `started`, `returned` (by a form, not completed yet),
 * `repeated` (the response of a login again). Ends:
 * `continued` (by a session), `success`, or who caused the failure: the end user, the application, the provider or us.
 */
export type LoginState =
  | 'prompted'
  | 'started'
  | 'returned'
  | 'repeated'
  | 'continued'
  | 'success'
  | 'user_denied'
  | 'client_error'
  | 'provider_error'
  | 'server_error'

/** Whether the failure is logged for operators. */
export function isServiceFailure(login: LoginState): boolean {
  return login === 'provider_error' || login === 'server_error'
}

/** The outcome of a browser's request. */
export type Outcome = (
  | {
      readonly kind: 'page'
      readonly page: PageName
      /** Where the page leads instead of the site: the response to the application. */
      readonly forward?: string
    }
  | { readonly kind: 'confirmation'; readonly confirmation: LinkConfirmation }
  | { readonly kind: 'choice'; readonly choice: ProviderChoice }
  | { readonly kind: 'account'; readonly view: AccountView }
  | { readonly kind: 'terms'; readonly view: TermsView }
  | {
      readonly kind: 'redirect'
      /** The exact value of the header. */
      readonly location: string
      /** 302 unless a form must not be posted again. */
      readonly status?: 303
    }
  | { readonly kind: 'form_post'; readonly form: FormPost }
  /** A file of JSON that the browser stores. */
  | { readonly kind: 'file'; readonly name: string; readonly text: string }
) & {
  /** The state of the login or link request, which is counted. */
  readonly login: LoginState
  readonly settings?: Pick<SiteProviderSettings, 'account' | 'site_id' | 'site'> | undefined
  /** `Set-Cookie` headers. */
  readonly cookies?: readonly string[]
  /** The language of the page, if the application requested one when the login started. */
  readonly language?: string | undefined
  /** For `Retry-After`, on pages about temporary conditions. */
  readonly retry_after_seconds?: number
}

export function errorPage(name: PageName, about: Pick<Outcome, 'settings' | 'cookies'> = {}): Outcome {
  return { kind: 'page', page: name, login: 'client_error', ...about }
}
