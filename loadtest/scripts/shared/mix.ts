import type { PreparedSite } from '../../seed/prepared.ts'
import { oneOf } from './prepared.ts'
import { callOperation, succeeded } from './web-api.ts'

/** The operations of customers' servers, weighted by frequency. */
const weighted: readonly (readonly [weight: number, operation: string])[] = [
  [40, 'user_attribute'],
  [25, 'profile'],
  [10, 'providers_of_user'],
  [10, 'map'],
  [5, 'users'],
  [5, 'create_user'],
  [5, 'appinfo'],
]

export const mixedOperations = weighted.map(([, operation]) => operation)

const whole = weighted.reduce((sum, [weight]) => sum + weight, 0)

/** Calls one operation of the mix for one of the site's users. */
export function callRandomOperation(site: PreparedSite): void {
  const operation = choose()
  succeeded(callOperation(site, operation, { parameters: parametersOf(operation, site) }), operation)
}

function choose(): string {
  let rest = Math.random() * whole
  for (const [weight, operation] of weighted) {
    rest -= weight
    if (rest < 0) return operation
  }
  return 'appinfo'
}

function parametersOf(operation: string, site: PreparedSite): Record<string, string> {
  if (operation === 'appinfo' || operation === 'create_user') return {}
  if (operation === 'users') return { limit: '20' }
  const identifier = oneOf(site.identifiers)
  return operation === 'map' ? { identifier, primary_key: `load-${identifier}`, overwrite: 'true' } : { identifier }
}
