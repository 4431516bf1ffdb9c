import type { Context } from '#http'
import { AdminFault } from '../admin-fault.ts'
import type { Deps } from '../deps.ts'

/**
 * Rejects cross-site requests (CSRF; OWASP ASVS 4.2.2). The console's own page adds the header `X-Console: 1`, which other origins cannot
 * send without CORS, and browsers send the page's origin.
 */
export function requireConsoleOrigin({ headers }: Context, { consoleUrl }: Pick<Deps, 'consoleUrl'>): void {
  if (headers['x-console'] === '1' && headers.origin === consoleUrl) return
  throw new AdminFault('not_allowed', {
    detail: `The request did not come from the console's own page. With a session, send changes from ${consoleUrl} with the header X-Console: 1; programs use a token.`,
  })
}
