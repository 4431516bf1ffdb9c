import type { Registry } from 'prom-client'
import type { z } from 'zod'
import { type LoginLogRecord, limits } from '#contracts'
import { addressGroupOf } from '#http'
import { createCounter } from '#runtime'

/** A record; absent parts are null. */
export type NewLoginRecord = z.input<typeof LoginLogRecord>

/** Records of logins that have not been reported yet. */
export interface LoginLog {
  /**
   * Adds a record. It never waits and never fails: records beyond the limits are dropped and counted.
   *
   * @param address the IP address of the end user, for the limit only; it is not stored. Absent: the record has no such limit
   */
  readonly add: (record: NewLoginRecord, address?: string) => void
  /** Returns the records since the last call, in reports of limited size. */
  readonly take: () => { logins: NewLoginRecord[]; incomplete_sites: number[] }[]
}

/** Maximum records of a report. With maximum-length fields they take about 700 kB; a message may have 1 MB. */
const maxPerReport = 500

/** Creates the log of one replica. */
export function createLoginLog(registry: Registry): LoginLog {
  const dropped = createCounter(registry, 'sociallogin_login_records_dropped_total')
  let waiting: NewLoginRecord[] = []
  let byAddress = new Map<string, number>()
  let bySite = new Map<number, number>()
  let incompleteSites = new Set<number>()

  const findReachedLimit = (site: number, source: string | undefined) => {
    if (waiting.length >= limits.login_records) return 'all'
    if ((bySite.get(site) ?? 0) >= limits.login_records_per_site) return 'site'
    const isSourceFull = source !== undefined && (byAddress.get(source) ?? 0) >= limits.login_records_per_address
    return isSourceFull ? 'address' : undefined
  }
  return {
    add(record, address) {
      const { site } = record
      const source = address === undefined ? undefined : addressGroupOf(address)
      const limit = findReachedLimit(site, source)
      if (limit !== undefined) {
        dropped.inc({ limit })
        incompleteSites.add(site)
        return
      }
      waiting.push(record)
      increment(bySite, site)
      if (source !== undefined) increment(byAddress, source)
    },
    take() {
      const [records, sites] = [waiting, [...incompleteSites]]
      waiting = []
      byAddress = new Map()
      bySite = new Map()
      incompleteSites = new Set()
      return Array.from({ length: Math.ceil(records.length / maxPerReport) }, (_, index) => ({
        logins: records.slice(index * maxPerReport, (index + 1) * maxPerReport),
        incomplete_sites: index === 0 ? sites : [],
      }))
    },
  }
}

function increment<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
