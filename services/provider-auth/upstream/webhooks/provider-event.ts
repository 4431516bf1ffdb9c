/** A verified event that a login provider sent about an end user. */
export type ProviderEvent =
  | {
      readonly kind: 'consent_revoked' | 'account_deleted' | 'data_deletion'
      readonly provider_user_id: string
      /** Data of later logins is not affected, so an event may arrive late or twice. */
      readonly occurred_at: Date
    }
  /** An event that needs no action, e.g. whether the provider's e-mail relay is enabled. */
  | { readonly kind: 'other' }

/** The webhook's signature is invalid, its audience is another application, or it is too old or unreadable. */
export class WebhookRejected extends Error {
  override readonly name = 'WebhookRejected'
  constructor(options?: ErrorOptions) {
    super('The webhook cannot be verified.', options)
  }
}
