import type { SiteReference } from '#admin-api'

/** Returns the path of a site in the files. */
export function pathOf({ account, site_id }: SiteReference): string {
  return `accounts.${account}.sites.${site_id}`
}
