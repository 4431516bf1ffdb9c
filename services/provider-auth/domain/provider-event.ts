import type { SiteProviderSettings } from './provider-settings.ts'

/** A verified event that a login provider sent about an end user. */
export type ProviderEvent =
  | (AccountEvent & { readonly kind: 'consent_revoked' | 'account_deleted' | 'data_deletion' })
  | SecurityEvent
  /** An event that needs no action, e.g. whether the provider's e-mail relay is enabled. */
  | { readonly kind: 'other' }

interface AccountEvent {
  readonly provider_user_id: string
  /** Data of later logins is not affected, so an event may arrive late or twice. */
  readonly occurred_at: Date
}

/** An event about the security of an account, after which the user's data stays. */
export interface SecurityEvent extends AccountEvent {
  readonly kind: 'sessions_revoked' | 'account_disabled' | 'account_enabled'
  /** The provider's ID of the event: the same each time the event arrives. */
  readonly id: string
  /** Why the provider disabled the account. */
  readonly reason: 'hijacking' | 'bulk-account' | undefined
}

/** The webhook's signature is invalid, its audience is another application, or it is too old or unreadable. */
export class WebhookRejected extends Error {
  override readonly name = 'WebhookRejected'
  constructor(options?: ErrorOptions) {
    super('The webhook cannot be verified.', options)
  }
}

/** Verifies the JWT (RFC 7519) of a webhook, and returns its event. @throws WebhookRejected, ProviderUnavailable if the keys cannot be loaded */
export type ReadEventToken = (token: string, settings: SiteProviderSettings) => Promise<ProviderEvent>
