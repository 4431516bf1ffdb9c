import type { Language } from '#contracts'
import type { ProviderSettings } from '../domain/provider-settings.ts'
import type { Choice, Confirmation } from '../pages/render.ts'
import type { PageName } from '../pages/statuses.ts'

/**
 * Steps: `asked` (the person is to confirm or to choose), `begun`, `returned` (by a form, to be finished). Ends: `continued`
 * (by a session), `success`, and by whose doing there is none: the person's, the application's, the provider's, ours.
 */
export type LoginStanding =
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
export function isFailure(login: LoginStanding): boolean {
  return login === 'provider_error' || login === 'server_error'
}

/** What a request of a browser comes to. */
export type Outcome = (
  | { readonly kind: 'page'; readonly page: PageName }
  | { readonly kind: 'confirmation'; readonly confirmation: Confirmation }
  | { readonly kind: 'choice'; readonly choice: Choice }
  | {
      readonly kind: 'redirect'
      /** Exactly as the field is to be sent. */
      readonly location: string
      /** 302 unless a form is not to be posted again. */
      readonly status?: 303
    }
) & {
  /** How the login or linking stands, for the count of them. */
  readonly login: LoginStanding
  readonly settings?: (Pick<ProviderSettings, 'account' | 'site_id'> & { readonly site?: number }) | undefined
  /** `Set-Cookie` fields. */
  readonly cookies?: readonly string[]
  /** Of the page, where the application requested it when the login started. */
  readonly language?: Language | undefined
  /** For `Retry-After`, on a page about a temporary condition. */
  readonly retry_after_seconds?: number
}

export function page(name: PageName, about: Pick<Outcome, 'settings' | 'cookies'> = {}): Outcome {
  return { kind: 'page', page: name, login: 'client_error', ...about }
}
