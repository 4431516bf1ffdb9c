import { descriptions, loginProviders, providers } from 'virtual:contract/providers'
import type { Provider } from '../admin/types.ts'

/** The description of a provider that is part of the product; undefined for one that the site configured. */
export function describeBuiltIn(provider: Provider) {
  const builtIn = providers.find((one) => one === provider)
  return builtIn && descriptions[builtIn]
}

/** The description of a provider that is part of the product and that end users can log in with. */
export function describeLogin(provider: Provider) {
  const builtIn = loginProviders.find((one) => one === provider)
  return builtIn && descriptions[builtIn]
}
