import type { ProfileHandlers } from '../deps.ts'

export const readProviderData: ProfileHandlers['readProviderData'] = async ({ link_ids }, { findProviderData }) => {
  const found = await Promise.all(
    link_ids.map(async (linkId) => ({ link_id: linkId, data: await findProviderData(linkId) })),
  )
  return {
    data: Object.fromEntries(found.flatMap(({ link_id, data }) => (data === undefined ? [] : [[link_id, data]]))),
  }
}
