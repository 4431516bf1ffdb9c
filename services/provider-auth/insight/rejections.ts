import type { RejectionRecord } from '#contracts'

/** Rejected requests that wait to be reported. */
export interface Rejections {
  /** Whether another request of this source is recorded. Check it before looking anything up for the request. */
  readonly hasRoom: (source: string) => boolean
  readonly add: (rejection: Omit<RejectionRecord, 'at'>, source: string) => void
  readonly take: () => { rejections: RejectionRecord[] }[]
}

// Limits between two reports, so that requests of one stranger do not displace those of others. Our choice.
const of_source = 20
const of_site = 50
const in_all = 300

/** Most requests of one report. With the longest addresses they take some 650 kB of a message, which may have 1 MB. */
const in_report = 100

/** @param now Unix time in milliseconds */
export function createRejections(now: () => number = Date.now): Rejections {
  let waiting: RejectionRecord[] = []
  let by_source = new Map<string, number>()
  let by_site = new Map<number | null, number>()
  const count = <K>(counts: Map<K, number>, key: K) => counts.set(key, (counts.get(key) ?? 0) + 1)
  const hasRoom = (source: string) => waiting.length < in_all && (by_source.get(source) ?? 0) < of_source

  return {
    hasRoom,
    add(rejection, source) {
      const { site } = rejection
      if (!hasRoom(source) || (by_site.get(site) ?? 0) >= of_site) return
      count(by_source, source)
      count(by_site, site)
      waiting.push({ ...rejection, at: now() })
    },
    take() {
      const reports = Array.from({ length: Math.ceil(waiting.length / in_report) }, (_, part) => ({
        rejections: waiting.slice(part * in_report, (part + 1) * in_report),
      }))
      waiting = []
      by_source = new Map()
      by_site = new Map()
      return reports
    },
  }
}
