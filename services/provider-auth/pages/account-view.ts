import type { BrowserFamily, DataRecipient, HistoryEntry, LoginProvider, Provider } from '#contracts'
import type { AccountNotice } from './account-notices.ts'

/** A linked account. */
interface LinkedAccount {
  readonly provider: Provider
  /** RFC 3339. */
  readonly added_at: string
  /** Whether the end user is logged in with it. */
  readonly is_current: boolean
  /** Undefined: it cannot be removed. */
  readonly remove_address: string | undefined
}

/** A session in a browser. */
export interface AccountSession {
  /** For the form that ends it. */
  readonly name: string
  readonly browser: BrowserFamily
  readonly provider: Provider
  /** Unix time in milliseconds. */
  readonly started_at_ms: number
  readonly last_used_at_ms: number
  readonly is_current: boolean
}

/** An application that received data. */
interface Application extends DataRecipient {
  /** Undefined: its access cannot be removed. */
  readonly remove_address: string | undefined
}

/** Hidden fields of a form. */
type Hidden = Readonly<Record<string, string>>

/** A page for end users about their account. */
export interface AccountView {
  readonly page:
    | {
        readonly kind: 'log_in' | 'fresh_login'
        /** Where each login starts. */
        readonly options: readonly { readonly provider: LoginProvider; readonly address: string }[]
        readonly last_provider: string | undefined
      }
    | {
        readonly kind: 'overview'
        readonly accounts: readonly LinkedAccount[]
        /** Undefined: the site has no provider that is not linked. */
        readonly add_address: string | undefined
        readonly sessions: readonly AccountSession[]
        readonly end_address: string
        /** Undefined: there are no others. */
        readonly end_others_address: string | undefined
        readonly applications: readonly Application[]
        /** The latest actions of the end user, the latest first. */
        readonly activity: readonly HistoryEntry[]
        readonly download_address: string
        /** When the end user is deleted on request (RFC 3339); undefined: there is no request. */
        readonly delete_at: string | undefined
        /** Undefined: the end user cannot ask to be deleted. */
        readonly delete_address: string | undefined
        readonly keep_address: string
        readonly log_out_address: string
        readonly hidden: Hidden
      }
    | {
        readonly kind: 'add'
        readonly providers: readonly LoginProvider[]
        readonly action: string
        readonly hidden: Hidden
      }
    | {
        readonly kind: 'remove'
        readonly provider: Provider
        readonly is_current: boolean
        readonly action: string
        readonly hidden: Hidden
      }
    | {
        readonly kind: 'application'
        /** Null: the client was removed. */
        readonly name: string | null
        readonly action: string
        readonly hidden: Hidden
      }
    | { readonly kind: 'end_others' | 'download'; readonly action: string; readonly hidden: Hidden }
    | { readonly kind: 'delete'; readonly days: number; readonly action: string; readonly hidden: Hidden }
  readonly notice: AccountNotice | undefined
  readonly site: { readonly account: string; readonly site_id: string }
  /** The address of the overview. */
  readonly home_address: string
}

/** The view of a kind of page. */
export type PageOf<K extends AccountView['page']['kind']> = Extract<AccountView['page'], { readonly kind: K }>
