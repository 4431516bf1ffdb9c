import type { IdentityHandlers } from '../deps.ts'
import { listMetadata } from '../store/user-metadata.ts'

export const readMetadataOfUsers: IdentityHandlers['readMetadataOfUsers'] = async (
  { site, identifiers },
  { reader },
) => ({
  metadata: Object.fromEntries(await listMetadata(reader, site, identifiers)),
})
