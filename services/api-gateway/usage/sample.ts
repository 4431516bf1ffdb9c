import type { RequestRecord } from '#contracts'
import type { CompletedRequest } from './completed-request.ts'

/** A sample of single requests, which members can look up in the console. */
export interface RequestSample {
  /** @param at Unix time in milliseconds */
  readonly add: (request: CompletedRequest, at: number) => void
  readonly take: () => RequestRecord[]
}

// Our choices, per report: all errors unless a site has very many, and some successful requests.
const errorsPerSite = 100
const successesPerSite = 5
const maximumRecords = 2_000
const maximumNames = 10

/** Whether a parameter name is safe to store: callers may send an API key or personal data as a name. */
function isName(text: string): boolean {
  return /^[A-Za-z_][\w.[\]-]{0,31}$/.test(text)
}

/** Requests without a site, because their key is invalid. */
const noSite = 0

export function createRequestSample(): RequestSample {
  let records: RequestRecord[] = []
  let errors = new Map<number, number>()
  let successes = new Map<number, number>()

  return {
    add({ site, code, operation, request_id, status, ...rest }, at) {
      if (records.length >= maximumRecords) return
      const counts = code === 0 ? successes : errors
      const count = counts.get(site ?? noSite) ?? 0
      if (count >= (code === 0 ? successesPerSite : errorsPerSite)) return
      counts.set(site ?? noSite, count + 1)
      const { api_key_id = null, address = null, remaining = null, duration_ms } = rest
      const { parameter, reason, documentation, unknown_parameters = [] } = rest
      records.push({
        request_id,
        at,
        site: site ?? null,
        api_key_id,
        address,
        operation,
        status,
        code: code === 0 ? null : code,
        remaining,
        duration_ms: Math.round(duration_ms * 10) / 10,
        // A repeated parameter has the caller's name; all others are ours.
        parameter: parameter !== undefined && isName(parameter) ? parameter : null,
        reason: reason ?? null,
        documentation: documentation ?? null,
        unknown_parameters: unknown_parameters.filter(isName).slice(0, maximumNames),
      })
    },
    take() {
      const taken = records
      records = []
      errors = new Map()
      successes = new Map()
      return taken
    },
  }
}
