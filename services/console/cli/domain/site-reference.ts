/** Identifies a site. */
export interface SiteReference {
  readonly account: string
  readonly site_id: string
}

/** Returns the path of a site in the files. */
export function pathOf({ account, site_id }: SiteReference): string {
  return `accounts.${account}.sites.${site_id}`
}
