import type { PreparedSite } from '../../../seed/prepared.ts'
import { operationMix } from '../../cost/cases.ts'
import type { LoadRequest } from '../generator/protocol.ts'

const roundsPerSite = 3
const requestsPerSite = roundsPerSite * operationMix.length

/** The requests of each site in the usual mix of operations. */
export function createMixedRequests(sites: readonly PreparedSite[]): readonly (readonly LoadRequest[])[] {
  return sites.map(({ api_key, identifiers }) =>
    Array.from({ length: requestsPerSite }, (_, n): LoadRequest => {
      // A stride that visits every operation of the mix once, so that neighbors differ.
      const operation = operationMix[(n * 7) % operationMix.length] ?? 'appinfo'
      const identifier = identifiers[n % identifiers.length] ?? ''
      return {
        method: 'GET',
        path: `/api/${operation}?${new URLSearchParams(parametersOf(operation, identifier))}`,
        headers: { authorization: `Bearer ${api_key}` },
        status: 200,
        contains: ['"status":"ok"'],
      }
    }),
  )
}

function parametersOf(operation: string, identifier: string): Record<string, string> {
  if (operation === 'appinfo' || operation === 'create_user') return {}
  if (operation === 'users') return { limit: '20' }
  return operation === 'map' ? { identifier, primary_key: `p-${identifier}`, overwrite: 'true' } : { identifier }
}
