import type { ProviderName } from '../browser.ts'

/** One way by which the suite's modules log a person in. */
export interface Flow {
  readonly response_type: 'code' | 'id_token'
  /** Straight to a provider, or by the address that discovery names, where the person chooses one. */
  readonly path: ProviderName | 'choice'
}

/** Every path, with each response type. */
export const flows: readonly Flow[] = (['messaging', 'search', 'device', 'choice'] as const).flatMap((path) => [
  { response_type: 'code', path },
  { response_type: 'id_token', path },
])
