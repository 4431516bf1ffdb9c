import type { Choice, Confirmation } from '../pages/render.ts'
import type { PageName } from '../pages/texts.ts'
import type { ProviderSettings } from '../store/provider-settings.ts'

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
  /** How the login or linking stands, for the count of them; `asked`: the person is to confirm or to choose; `continued`: by a session; `returned`: by a form, to be finished. */
  readonly login: 'asked' | 'begun' | 'continued' | 'returned' | 'completed' | 'refused' | 'denied' | 'failed'
  readonly settings?: Pick<ProviderSettings, 'account' | 'site_id'> | undefined
  /** `Set-Cookie` fields. */
  readonly cookies?: readonly string[]
}

export function page(name: PageName, about: Pick<Outcome, 'settings' | 'cookies'> = {}): Outcome {
  return { kind: 'page', page: name, login: 'refused', ...about }
}
