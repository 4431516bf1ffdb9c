import type { Deps } from '../deps.ts'
import type { SiteArrival } from '../login/arrival.ts'
import type { Outcome } from '../login/outcome.ts'
import { sendToProvider } from '../login/send-to-provider.ts'
import { visit } from './visit.ts'

/** Answers a login by way of a site's own page, whose callback gets a one-time token: a page, or the way to the provider. */
export async function authenticate(arrival: SiteArrival, deps: Deps): Promise<Outcome> {
  return visit(arrival, deps, async (here) => {
    const request = { ...here.request, association: null }
    return sendToProvider(here, { ...arrival, request, asked: { passed: {} } }, deps)
  })
}
