import { createReason } from '#admin-api'
import type { Call } from '#bus'
import { parseMetadataCondition, type UserConditions } from '#contracts'
import { AdminFault } from '../admin-fault.ts'
import type { Deps } from '../deps.ts'

/**
 * Checks that users of the site can be filtered by the metadata of a new request, so that a mistyped path is not taken for one that no
 * user has. Requests that run go on with a path that is removed later.
 *
 * @throws AdminFault `invalid_request`
 */
export async function requireMetadataPath(
  site: number,
  { metadata }: UserConditions,
  { identity }: Pick<Deps, 'identity'>,
  call: Call,
): Promise<void> {
  if (metadata === undefined) return
  const { path } = parseMetadataCondition(metadata)
  const { paths } = await identity.readMetadataSearch({ site }, call)
  if (!paths.includes(path))
    throw new AdminFault('invalid_request', { field: 'metadata', reason: createReason('no_metadata_path', { path }) })
}
