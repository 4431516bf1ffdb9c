import type { CallerCount, RequestRecord, ResponseCount } from '#contracts'
import type { Answered, Count } from './answered.ts'
import { createSample } from './sample.ts'

/** What a gateway counted, as it is reported. */
export interface CallReport {
  readonly responses: ResponseCount[]
  readonly callers: CallerCount[]
  readonly requests: RequestRecord[]
}

export interface Tally {
  readonly count: Count
  /** What was counted since it was asked last, in reports that the bus can carry. */
  readonly take: () => CallReport[]
}

// Our choices: addresses told one by one, of a site and of all, between two reports; the others are counted together.
const addressesOfSite = 256
const addressesInAll = 20_000
/** Rows of each kind in a report: a request has up to 1,000 bytes, others 200. A NATS message has at most a megabyte by default. */
const reportRows = 500

/** Counts of one site in one minute. */
interface SiteTally {
  readonly answers: Map<string, ResponseCount>
  readonly callers: Map<string, CallerCount>
}

/**
 * Counts requests in memory: by site, operation and code, and by site, key and address. A request costs two look-ups in maps;
 * what is kept between two reports is bounded, whoever calls.
 *
 * @param now Unix time in milliseconds
 */
export function createTally(now: () => number = Date.now): Tally {
  const sample = createSample()
  let sites = new Map<number, SiteTally>()
  let minute = 0
  let addresses = 0
  let past: SiteTally[] = []

  const cut = () => {
    past.push(...sites.values())
    sites = new Map()
  }
  const tallyOf = (site: number): SiteTally => {
    const known = sites.get(site)
    if (known !== undefined) return known
    const tally: SiteTally = { answers: new Map(), callers: new Map() }
    sites.set(site, tally)
    return tally
  }
  const countAnswer = ({ answers }: SiteTally, site: number, { operation, code }: Answered) => {
    const key = `${code} ${operation}`
    const row = answers.get(key)
    if (row !== undefined) row.calls++
    else answers.set(key, { minute, site, operation, code, calls: 1 })
  }
  const countCaller = (tally: SiteTally, site: number, apiKeyId: string, address: string | null, at: number) => {
    const { callers } = tally
    const key = `${apiKeyId} ${address ?? ''}`
    const row = callers.get(key)
    if (row !== undefined) {
      row.calls++
      row.last_at = at
    } else if (address !== null && (callers.size >= addressesOfSite || addresses >= addressesInAll)) {
      countCaller(tally, site, apiKeyId, null, at)
    } else {
      addresses++
      callers.set(key, { minute, site, api_key_id: apiKeyId, address, calls: 1, last_at: at })
    }
  }

  return {
    count(answered) {
      const at = now()
      const { site, api_key_id, address = null } = answered
      sample.add(answered, at)
      if (site === undefined || api_key_id === undefined) return
      const present = Math.floor(at / 60_000)
      if (present !== minute) cut()
      minute = present
      const tally = tallyOf(site)
      countAnswer(tally, site, answered)
      countCaller(tally, site, api_key_id, address, at)
    },
    take() {
      cut()
      const answers = past.flatMap((tally) => [...tally.answers.values()])
      const callers = past.flatMap((tally) => [...tally.callers.values()])
      past = []
      addresses = 0
      return inReports({ responses: answers, callers, requests: sample.take() })
    },
  }
}

/** Parts of at most so many rows of a kind. */
function inReports({ responses: answers, callers, requests }: CallReport): CallReport[] {
  const most = Math.max(answers.length, callers.length, requests.length)
  return Array.from({ length: Math.ceil(most / reportRows) }, (_, part) => {
    const [from, to] = [part * reportRows, (part + 1) * reportRows]
    return { responses: answers.slice(from, to), callers: callers.slice(from, to), requests: requests.slice(from, to) }
  })
}
