/** What a login provider tells us of a person without having been asked, verified. */
export type ProviderEvent =
  | {
      readonly kind: 'consent_revoked' | 'account_deleted' | 'data_deletion'
      readonly provider_user_id: string
      /** What came of later logins is not concerned, so that a notice may come late or twice. */
      readonly occurred_at: Date
    }
  /** Nothing that concerns us, such as where the provider's relay sends e-mail. */
  | { readonly kind: 'other' }

/** The notice does not prove that it comes from the provider, is for somebody else, too old, or cannot be read. */
export class WebhookRejected extends Error {
  constructor(options?: ErrorOptions) {
    super('A notice cannot be verified.', options)
    this.name = 'NoticeRefused'
  }
}
