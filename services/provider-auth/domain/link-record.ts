import type { Provider } from '#contracts'

/** The login or link request that data came from. */
export interface LinkRecord {
  readonly link_id: string
  /** By identity's clock. */
  readonly recorded_at: Date
}

/** The logins of links of a site until a time. */
export interface LinkLogins {
  readonly site: number
  readonly link_ids: readonly string[]
  readonly recorded_until: Date | 'infinity'
}

/** A login or link request as identity recorded it. */
export interface RecordedLinkLogin extends LinkRecord {
  readonly site: number
  readonly identifier: string
  readonly provider: Provider
}
