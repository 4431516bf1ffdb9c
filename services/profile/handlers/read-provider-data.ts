import type { ProfileHandlers } from '../deps.ts'
import { findProviderData } from '../store/provider-profiles.ts'

export const readProviderData: ProfileHandlers['readProviderData'] = async ({ site, link_ids }, { reader }) => ({
  data: Object.fromEntries(await findProviderData(reader, site, link_ids)),
})
