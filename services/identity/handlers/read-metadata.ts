import type { IdentityHandlers } from '../deps.ts'
import { findMetadata } from '../store/user-metadata.ts'
import { resolveUser } from './users.ts'

export const readMetadata: IdentityHandlers['readMetadata'] = async ({ site, ...ids }, deps, call) => {
  const { user } = await resolveUser({ site, ...ids }, deps, call)
  const { identifier } = user
  const { user_metadata, app_metadata, revision } = await findMetadata(deps.reader, { site, identifier })
  return { identifier, user_metadata, app_metadata, revision }
}
