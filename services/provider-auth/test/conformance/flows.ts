import { builtInLoginProviders, loginProviderDescriptions } from '#contracts'
import type { ProviderName } from '../browser.ts'

/** A flow by which the suite's modules log in. */
export interface Flow {
  readonly response_type: 'code' | 'id_token'
  /** Directly to a provider, or through the provider choice. */
  readonly path: ProviderName | 'choice'
  /** With `form_post`, the modules are those of the suite's form post plans. */
  readonly response_mode: 'default' | 'form_post'
}

const paths = [...builtInLoginProviders, 'choice'] as const

/** Every path with each response type. Two paths also with form_post, because the response does not depend on the path. */
export const flows: readonly Flow[] = [
  ...paths.flatMap((path) => flowsOf(path, 'default')),
  ...(['search', 'choice'] as const).flatMap((path) => flowsOf(path, 'form_post')),
]

function flowsOf(path: Flow['path'], responseMode: Flow['response_mode']): Flow[] {
  return (['code', 'id_token'] as const).map((responseType) => ({
    response_type: responseType,
    response_mode: responseMode,
    path,
  }))
}

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
