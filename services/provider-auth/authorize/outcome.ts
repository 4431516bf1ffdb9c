import type { PageName } from '../pages/texts.ts'
import type { ProviderSettings } from '../store/provider-settings.ts'

/** What a request of a browser comes to. */
export type Outcome = (
  | { readonly kind: 'page'; readonly page: PageName }
  | {
      readonly kind: 'redirect'
      /** Exactly as the field is to be sent. */
      readonly location: string
    }
) & {
  /** How the login stands, for the count of logins. */
  readonly login: 'begun' | 'completed' | 'refused' | 'denied' | 'failed'
  readonly settings?: ProviderSettings | undefined
  /** `Set-Cookie` fields. */
  readonly cookies?: readonly string[]
}

export function page(name: PageName, about: Pick<Outcome, 'settings' | 'cookies'> = {}): Outcome {
  return { kind: 'page', page: name, login: 'refused', ...about }
}
