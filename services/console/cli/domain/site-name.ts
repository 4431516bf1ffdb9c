/** Names a site. */
export interface SiteName {
  readonly account: string
  readonly site_id: string
}

/** Where the files speak of a site. */
export function pathOf({ account, site_id }: SiteName): string {
  return `accounts.${account}.sites.${site_id}`
}
