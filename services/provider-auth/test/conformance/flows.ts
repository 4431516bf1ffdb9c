import { loginProviderDescriptions, loginProviders } from '#contracts'
import type { ProviderName } from '../browser.ts'

/** A flow by which the suite's modules log in. */
export interface Flow {
  readonly response_type: 'code' | 'id_token'
  /** Directly to a provider, or through the provider choice. */
  readonly path: ProviderName | 'choice'
}

/** Every path, with each response type. */
export const flows: readonly Flow[] = ([...loginProviders, 'choice'] as const).flatMap((path) => [
  { response_type: 'code', path },
  { response_type: 'id_token', path },
])

/** The provider of a flow; for the choice, the chosen one. */
export function getProvider({ path }: Flow): ProviderName {
  return path === 'choice' ? 'search' : path
}

/** Claims that the flow's provider supplies of every end user. */
export function listSuppliedClaims(flow: Flow): ReadonlySet<string> {
  const { supplies } = loginProviderDescriptions[getProvider(flow)]
  const named = supplies.includes('full_name') || supplies.includes('user_name')
  return new Set([
    ...(named ? ['name'] : []),
    ...(supplies.includes('image_url') ? ['picture'] : []),
    ...(supplies.includes('email') ? ['email'] : []),
  ])
}
