import { newToken } from '#runtime'
import { tokenPrefixes } from './token-prefixes.ts'

/** Digits and lower-case letters. */
const radix = 36
const largestSite = 2 ** 31 - 1

/**
 * A new access token. It begins with the site, so that the endpoints that receive nothing else find the token in a database that
 * is distributed by site.
 */
export function newAccessToken(site: number): string {
  return newToken(`${tokenPrefixes.access_token}${site.toString(radix)}.`)
}

/** The site of an access token; undefined if the text cannot be one. */
export function parseSite(accessToken: string): number | undefined {
  const [, digits] = /^slat_([0-9a-z]{1,6})\.[\w-]{43}$/.exec(accessToken) ?? []
  if (digits === undefined) return undefined
  const site = Number.parseInt(digits, radix)
  return site <= largestSite ? site : undefined
}
