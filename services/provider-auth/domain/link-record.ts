import type { Provider } from '#contracts'

/** The login or linking that data came from. */
export interface LinkRecord {
  readonly link_id: string
  /** By identity's clock. */
  readonly recorded_at: Date
}

/** A login as it was recorded. */
export interface RecordedLinkLogin extends LinkRecord {
  readonly site: number
  readonly identifier: string
  readonly provider: Provider
}
