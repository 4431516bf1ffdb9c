import type { ProfileHandlers } from '../deps.ts'
import { findProviderData } from '../store/provider-profiles.ts'

export const readProviderData: ProfileHandlers['readProviderData'] = async ({ site, link_ids }, deps) => ({
  data: Object.fromEntries(await findProviderData(deps.reader, deps, site, link_ids)),
})
