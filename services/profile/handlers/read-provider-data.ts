import type { ProfileHandlers } from '../deps.ts'

export const readProviderData: ProfileHandlers['readProviderData'] = async (
  { providers, ...user },
  { findProviderData },
) => {
  const stored = (await findProviderData(user)) ?? {}
  const wanted = providers.flatMap((provider) => {
    const data = stored[provider]
    return data === undefined ? [] : [[provider, data]]
  })
  return { data: Object.fromEntries(wanted) }
}
