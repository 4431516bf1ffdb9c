import type { Language } from '#contracts'
import type { ProviderSettings } from '../domain/provider-settings.ts'
import type { PageName } from '../pages/page-statuses.ts'
import type { LinkConfirmation, ProviderChoice } from '../pages/render.ts'

/**
 * Steps: `asked` (the person is to confirm or to choose), `begun`, `returned` (by a form, to be finished). Ends: `continued`
 * (by a session), `success`, and by whose doing there is none: the person's, the application's, the provider's, ours.
 */
export type LoginState =
  | 'asked'
  | 'begun'
  | 'returned'
  | 'continued'
  | 'success'
  | 'user_denied'
  | 'client_error'
  | 'provider_error'
  | 'server_error'

/** Whether operators are to learn why there was no login. */
export function isServiceFailure(login: LoginState): boolean {
  return login === 'provider_error' || login === 'server_error'
}

/** What a request of a browser comes to. */
export type Outcome = (
  | { readonly kind: 'page'; readonly page: PageName }
  | { readonly kind: 'confirmation'; readonly confirmation: LinkConfirmation }
  | { readonly kind: 'choice'; readonly choice: ProviderChoice }
  | {
      readonly kind: 'redirect'
      /** Exactly as the field is to be sent. */
      readonly location: string
      /** 302 unless a form is not to be posted again. */
      readonly status?: 303
    }
) & {
  /** How the login or linking stands, for the count of them. */
  readonly login: LoginState
  readonly settings?: (Pick<ProviderSettings, 'account' | 'site_id'> & { readonly site?: number }) | undefined
  /** `Set-Cookie` fields. */
  readonly cookies?: readonly string[]
  /** Of the page, where the application requested it when the login started. */
  readonly language?: Language | undefined
  /** For `Retry-After`, on a page about a temporary condition. */
  readonly retry_after_seconds?: number
}

export function errorPage(name: PageName, about: Pick<Outcome, 'settings' | 'cookies'> = {}): Outcome {
  return { kind: 'page', page: name, login: 'client_error', ...about }
}
