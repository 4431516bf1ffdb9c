import { SharedArray } from 'k6/data'
import type { LoginSite, Prepared, PreparedSite } from '../../seed/prepared.ts'

const read = (): Prepared => JSON.parse(open(`${__ENV.PREPARED}`))

/** Shared by all virtual users, so that a thousand sites are in memory once. */
const sites = new SharedArray('sites', () => [...read().sites])

export const { web_api, auth, login_site } = ((): Omit<Prepared, 'sites'> => {
  const { web_api, auth, login_site } = read()
  return { web_api, auth, login_site }
})()

/** A site by its number, modulo the number of sites. */
export function siteAt(number: number): PreparedSite {
  const site = sites[number % sites.length]
  if (site === undefined) throw new Error('The run has no sites.')
  return site
}

/** The site for logins. */
export function siteWithClient(): LoginSite {
  if (login_site === null) throw new Error('The run has no site for logins.')
  return login_site
}

export function oneOf<T>(values: readonly T[]): T {
  const value = values[Math.floor(Math.random() * values.length)]
  if (value === undefined) throw new Error('The list is empty.')
  return value
}
