import type { CallerCount, RequestRecord, ResponseCount } from '#contracts'
import type { CompletedRequest, RecordRequest } from './completed-request.ts'
import { createRequestSample } from './sample.ts'

/** The counts of a gateway, as reported to the console. */
export interface CallReport {
  readonly responses: ResponseCount[]
  readonly callers: CallerCount[]
  readonly requests: RequestRecord[]
}

export interface UsageCounter {
  readonly record: RecordRequest
  /** Returns the counts since the last call, in reports that fit a bus message. */
  readonly take: () => CallReport[]
}

// Our choices: addresses counted separately per report, of a site and in total; the others are counted together.
const addressesPerSite = 256
const maximumAddresses = 20_000
/** Rows of each kind in a report. A request has up to 1,000 bytes, others 200; a NATS message at most 1 MB by default. */
const rowsPerReport = 500

/** Counts of one site in one minute. */
interface SiteCounts {
  readonly responses: Map<string, ResponseCount>
  readonly callers: Map<string, CallerCount>
}

/**
 * Counts requests in memory: by site, operation and code, and by site, key and address. A request costs two map look-ups. The
 * memory between two reports is bounded.
 *
 * @param now Unix time in milliseconds
 */
export function createUsageCounter(now: () => number = Date.now): UsageCounter {
  const sample = createRequestSample()
  let sites = new Map<number, SiteCounts>()
  let minute = 0
  let addresses = 0
  let closed: SiteCounts[] = []

  const closeMinute = () => {
    closed.push(...sites.values())
    sites = new Map()
  }
  const getSiteCounts = (site: number): SiteCounts => {
    const known = sites.get(site)
    if (known !== undefined) return known
    const counts: SiteCounts = { responses: new Map(), callers: new Map() }
    sites.set(site, counts)
    return counts
  }
  const countResponse = ({ responses }: SiteCounts, site: number, { operation, code }: CompletedRequest) => {
    const key = `${code} ${operation}`
    const row = responses.get(key)
    if (row !== undefined) row.calls++
    else responses.set(key, { minute, site, operation, code, calls: 1 })
  }
  const countCaller = (counts: SiteCounts, site: number, apiKeyId: string, address: string | null, at: number) => {
    const { callers } = counts
    const key = `${apiKeyId} ${address ?? ''}`
    const row = callers.get(key)
    if (row !== undefined) {
      row.calls++
      row.last_at = at
    } else if (address !== null && (callers.size >= addressesPerSite || addresses >= maximumAddresses)) {
      countCaller(counts, site, apiKeyId, null, at)
    } else {
      addresses++
      callers.set(key, { minute, site, api_key_id: apiKeyId, address, calls: 1, last_at: at })
    }
  }

  return {
    record(request) {
      const at = now()
      const { site, api_key_id, address = null } = request
      sample.add(request, at)
      if (site === undefined || api_key_id === undefined) return
      const currentMinute = Math.floor(at / 60_000)
      if (currentMinute !== minute) closeMinute()
      minute = currentMinute
      const counts = getSiteCounts(site)
      countResponse(counts, site, request)
      countCaller(counts, site, api_key_id, address, at)
    },
    take() {
      closeMinute()
      const responses = closed.flatMap((counts) => [...counts.responses.values()])
      const callers = closed.flatMap((counts) => [...counts.callers.values()])
      closed = []
      addresses = 0
      return splitIntoReports({ responses, callers, requests: sample.take() })
    },
  }
}

/** Splits the counts into reports of at most `rowsPerReport` rows of each kind. */
function splitIntoReports({ responses, callers, requests }: CallReport): CallReport[] {
  const longest = Math.max(responses.length, callers.length, requests.length)
  return Array.from({ length: Math.ceil(longest / rowsPerReport) }, (_, part) => {
    const [from, to] = [part * rowsPerReport, (part + 1) * rowsPerReport]
    return {
      responses: responses.slice(from, to),
      callers: callers.slice(from, to),
      requests: requests.slice(from, to),
    }
  })
}
