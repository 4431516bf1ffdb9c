import type { ProviderName } from '../browser.ts'

/** One way by which the suite's modules log a person in. */
export interface Flow {
  readonly response_type: 'code' | 'id_token'
  readonly provider: ProviderName
}

export const providers: readonly ProviderName[] = ['messaging', 'search']

/** Every provider path, with each response type. */
export const flows: readonly Flow[] = providers.flatMap((provider) => [
  { response_type: 'code', provider },
  { response_type: 'id_token', provider },
])
