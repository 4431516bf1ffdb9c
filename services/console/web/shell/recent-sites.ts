import { useEffect } from 'react'
import type { SiteReference } from '../admin/types.ts'
import { useCurrentLocation } from './current-location.ts'

const storageKey = 'console-recent-sites'
const most = 6

/** The sites that this browser showed last, the newest first. */
export function readRecentSites(): readonly SiteReference[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isSiteReference) : []
  } catch {
    return []
  }
}

/** Remembers the site that is shown. */
export function useRememberSite(): void {
  const { account: { account } = {}, site: { site_id } = {} } = useCurrentLocation()
  useEffect(() => {
    if (account === undefined || site_id === undefined) return
    const others = readRecentSites().filter((one) => one.account !== account || one.site_id !== site_id)
    localStorage.setItem(storageKey, JSON.stringify([{ account, site_id }, ...others].slice(0, most)))
  }, [account, site_id])
}

function isSiteReference(value: unknown): value is SiteReference {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof Reflect.get(value, 'account') === 'string' &&
    typeof Reflect.get(value, 'site_id') === 'string'
  )
}
