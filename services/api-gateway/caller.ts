import type { Call } from '#bus'
import type { SiteEntry } from './site-table.ts'

/** The command of a request: what it changes, it changes once. */
export interface RequestCommand {
  /** A repeat with the same `Idempotency-Key` has the same command. */
  readonly command: string
  /** Whether an earlier request with this command got no definite answer: it may have taken effect. */
  readonly repeated: boolean
}

/** The caller and its request. */
export interface Caller extends RequestCommand {
  readonly site: SiteEntry
  readonly call: Call
  /** The base URL that was called. */
  readonly baseUrl: string
  /** Whether a host of the site was called. */
  readonly isOnOwnHost: boolean
  /** The API key if it is in the query, for URLs in the response. */
  readonly keyInQuery: string | undefined
  /** The header of a client that continues a stream (HTML, Server-sent events). */
  readonly lastEventId: string | undefined
  readonly waiting: Waiting
}

/** For requests that wait longer than others may take. */
export interface Waiting {
  /** Waits without the request's slot. The time does not count as duration of the request. The signal aborts if the caller leaves. */
  readonly wait: (work: (signal: AbortSignal) => Promise<void>) => Promise<void>
  /** Whether to go on: the caller is there, its key is valid, and this process does not stop. */
  readonly isActive: () => boolean
  /** A call with a new deadline. */
  readonly newCall: () => Call
}
