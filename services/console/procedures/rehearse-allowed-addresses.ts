import { limits } from '#contracts'
import { compileAddresses } from '#http'
import { toTimestamp } from '#runtime'
import { sumAddresses } from '../insight/callers.ts'
import type { Run } from './procedure.ts'

/** Judges those who called by the very rule that the gateways have. */
export const rehearseAllowedAddresses: Run<'rehearseAllowedAddresses'> = async (
  { account, site_id, allowed_addresses },
  { identity, knex, now },
  { address, call },
) => {
  const { site } = await identity.readSite({ account, site_id }, call)
  const since = new Date(now().getTime() - limits.usage_callers_seconds * 1_000)
  const callers = await sumAddresses(knex, { site, since })
  const isAllowed = compileAddresses(allowed_addresses)
  const refused = callers.flatMap(({ address, calls, last_at }) =>
    address === null || isAllowed(address) ? [] : [{ address, calls, last_called_at: toTimestamp(last_at) }],
  )
  return {
    your_address: address,
    your_address_allowed: isAllowed(address),
    calls: callers.reduce((total, { calls }) => total + calls, 0),
    calls_unknown: callers.find((caller) => caller.address === null)?.calls ?? 0,
    refused,
  }
}
