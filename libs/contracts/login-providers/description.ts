// Data only: the console's pages receive it as JSON.
import type { ProfileItem } from '../profile-items.ts'
import type { LoginProtocol, NativeLoginProtocol, Permission } from './protocol.ts'

/** Languages of all pages. */
export const languages = ['en', 'ja'] as const
export type Language = (typeof languages)[number]

export type LocalizedText = Readonly<Record<Language, string>>

/** A provider whose accounts can be linked to users. */
export interface ProviderDescription {
  /** The name shown on pages. Wire names and tokens are for programs. */
  readonly displayName: LocalizedText
  /** The token in the path of the authorization endpoint, if it differs (specification, "Neutral tokens"). */
  readonly pathToken?: string
  /** The items that it supplies about an end user. */
  readonly supplies: readonly ProfileItem[]
  readonly credential: CredentialDescription
  /** Its color in the console's charts: a color and shade of Mantine. */
  readonly chartColor: string
}

/** The provider's credential object in the Web API (specification, Provider credential objects). */
export interface CredentialDescription {
  /** The fields after the id, in the order of the specification's table, each with its source. */
  readonly fields: Readonly<Record<string, CredentialSource>>
  /** Access tokens may have 65,535 characters instead of 255. */
  readonly longAccessTokens?: true
}

/** Where a field's value comes from; null: the field is always null. */
export type CredentialSource =
  | 'access_token'
  | 'access_secret'
  | 'refresh_token'
  | 'expires_at'
  | 'client_access_token'
  | 'client_access_secret'
  | 'client_refresh_token'
  | 'client_expires_at'
  | 'friendship_status'
  | 'friendship_status_updated_at'
  | 'created_at'
  | 'updated_at'
  | null

export const alwaysNull = null

/** The client IDs, separated by commas, whose tokens native apps may log in with. Without it, they may not. */
export const appClientIds = {
  type: 'text',
  maximum: 2_048,
  format: {
    pattern: '^[!-+\\--~]{1,255}(,[!-+\\--~]{1,255}){0,19}$',
    message: 'must be at most 20 client IDs, separated by commas without spaces',
  },
} as const satisfies ProviderOption

/** The last fields of every credential object. */
export const linkTimes = { created_at: 'created_at', updated_at: 'updated_at' } as const

/** A provider that end users can log in with. */
export interface LoginProviderDescription extends ProviderDescription {
  readonly documentation: ProviderDocumentation
  /** If there are several, the option `protocol` selects one by its type; the first one is the default. */
  readonly protocols: readonly [LoginProtocol, ...LoginProtocol[]]
  /** How native apps log in with the provider's SDK; absent if they cannot, or log in by OAuth 1.0a. */
  readonly native?: NativeLoginProtocol
  /** Permissions that the option `permissions` names. */
  readonly permissions?: Readonly<Record<string, Permission>>
  readonly button: LoginButton
  readonly logo: Logo
  /** The provider's own console, where customers register their application. */
  readonly consoleUrl: string
  /** `private_key`: a PEM of PKCS #8, with which client secrets are signed. */
  readonly clientSecret: 'text' | 'private_key'
  /** An official account can be linked to the application; end users can be its friends. */
  readonly hasOfficialAccount?: true
  /** Options of the provider settings in addition to client ID and secret, by name. */
  readonly options: Readonly<Record<string, ProviderOption>>
  /** Topics of the provider's webhooks, one URI each; `events` is one URI for all events. */
  readonly webhooks: readonly ('events' | 'deauthorize' | 'data_deletion')[]
}

/** What integrators should know; the documentation is generated from it. */
export interface ProviderDocumentation {
  /** The provider's name of the service, e.g. `LINE Login v2.1`. */
  readonly service: string
  /** When an e-mail address counts as verified. */
  readonly email: string
  /** The lifetime of access tokens, e.g. `30 days`, and how they are refreshed. */
  readonly accessToken: string
  readonly refresh: string
  /** What provider revocation does. */
  readonly revocation: string
  /** One sentence each. */
  readonly quirks: readonly string[]
}

/** A login button that follows the provider's brand guidelines. */
export interface LoginButton {
  /** The provider's own wording. */
  readonly label: LocalizedText
  readonly light: ButtonColors
  readonly dark: ButtonColors
}

/** CSS colors. */
export interface ButtonColors {
  readonly background: string
  readonly text: string
  readonly border: string
}

/** A logo of one color by its SVG path, in a square of 24; or the elements of a colored one, in a square of 48. */
export type Logo = { readonly path: string } | { readonly elements: string }

/** Options are text; `secret` ones are never shown, only whether they are set. */
export type ProviderOption = TextOption | ChoiceOption | ListOption

interface TextOption {
  readonly type: 'text'
  readonly required?: true
  readonly secret?: true
  /** Of use only with an official account. */
  readonly withOfficialAccount?: true
  /** In characters; where there is a `format`, it decides. */
  readonly maximum: number
  readonly format?: { readonly pattern: string; readonly message: string }
}

interface ChoiceOption {
  readonly type: 'choice'
  readonly values: readonly string[]
  /** The value of an absent option. */
  readonly default: string
}

/** Any number of the values, separated by commas. */
interface ListOption {
  readonly type: 'list'
  readonly values: readonly string[]
  /** The reason for rejecting other values, after the option's name. */
  readonly message: string
}
