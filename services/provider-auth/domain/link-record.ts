import type { Provider } from '#contracts'

/** The login or link request that data came from. */
export interface LinkRecord {
  readonly link_id: string
  /** By identity's clock. */
  readonly recorded_at: Date
}

/** A login or link request as identity recorded it. */
export interface RecordedLinkLogin extends LinkRecord {
  readonly site: number
  readonly identifier: string
  readonly provider: Provider
}
