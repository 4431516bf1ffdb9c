import type { Context } from '#http'
import type { Deps } from '../deps.ts'
import { AdminFault } from '../handlers/admin-fault.ts'

/**
 * Refuses what a page of somebody else had a browser send with our cookie (OWASP ASVS 4.2.2): the console's own page adds
 * the header `X-Console: 1`, which others cannot without our consent, and browsers tell the page's origin.
 */
export function requireOwnPage({ headers }: Context, { console_url }: Pick<Deps, 'console_url'>): void {
  if (headers['x-console'] === '1' && headers.origin === console_url) return
  throw new AdminFault('not_allowed', {
    detail: `With a session, changes are made from ${console_url} and with the header X-Console: 1. Elsewhere, use a token.`,
  })
}
