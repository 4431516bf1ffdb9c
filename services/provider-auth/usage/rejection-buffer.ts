import type { z } from 'zod'
import type { RejectionRecord } from '#contracts'

/** A rejected request; absent parts are null. */
export type NewRejection = z.input<typeof RejectionRecord>

/** Rejected requests that have not been reported yet. */
export interface RejectionBuffer {
  /** Whether there is room for another request of this source. Check it before any look-up for the request. */
  readonly hasRoom: (source: string) => boolean
  readonly add: (rejection: Omit<NewRejection, 'at'>, source: string) => void
  readonly take: () => { rejections: NewRejection[] }[]
}

// Limits between two reports, so that one source cannot displace the requests of others. Our choice.
const maxPerSource = 20
const maxPerSite = 50
const maxTotal = 300

/** Maximum requests per report. With maximum-length URIs they take about 650 kB; a message may have 1 MB. */
const maxPerReport = 100

/** @param now Unix time in milliseconds */
export function createRejectionBuffer(now: () => number = Date.now): RejectionBuffer {
  let waiting: NewRejection[] = []
  let bySource = new Map<string, number>()
  let bySite = new Map<number | null, number>()
  const count = <K>(counts: Map<K, number>, key: K) => counts.set(key, (counts.get(key) ?? 0) + 1)
  const hasRoom = (source: string) => waiting.length < maxTotal && (bySource.get(source) ?? 0) < maxPerSource

  return {
    hasRoom,
    add(rejection, source) {
      const { site } = rejection
      if (!hasRoom(source) || (bySite.get(site) ?? 0) >= maxPerSite) return
      count(bySource, source)
      count(bySite, site)
      waiting.push({ ...rejection, at: now() })
    },
    take() {
      const reports = Array.from({ length: Math.ceil(waiting.length / maxPerReport) }, (_, index) => ({
        rejections: waiting.slice(index * maxPerReport, (index + 1) * maxPerReport),
      }))
      waiting = []
      bySource = new Map()
      bySite = new Map()
      return reports
    },
  }
}
