import { isDeepStrictEqual } from 'node:util'
import { Fault, isMetadataWithinLimit, type Metadata, type MetadataPart } from '#contracts'

/** The parts that a command sends. */
export interface MetadataChange {
  readonly user_metadata?: MetadataPart | undefined
  readonly app_metadata?: MetadataPart | undefined
  /** Whether the parts are the new values, instead of patches. */
  readonly replace: boolean
}

/** @throws Fault `metadata_too_large`: the patched metadata has more bytes than a user can have */
export function applyChange(before: Metadata, { user_metadata, app_metadata, replace }: MetadataChange): Metadata {
  const changePart = (part: MetadataPart, change: MetadataPart = {}) => patchObject(part, change)
  const replacePart = (part: MetadataPart, change: MetadataPart = part) => change
  const apply = replace ? replacePart : changePart
  const after = {
    user_metadata: apply(before.user_metadata, user_metadata),
    app_metadata: apply(before.app_metadata, app_metadata),
  }
  if (!isMetadataWithinLimit(after)) throw new Fault('metadata_too_large')
  return after
}

/**
 * Merges the metadata of two users: the destination's, with the members of the source that it does not have, at the top level
 * only, so that an object of one user is never mixed with the other's.
 *
 * If both together are larger than the limit, the destination's remains as it is: a merge is not rejected for it.
 */
export function mergeMetadata(source: Metadata, destination: Metadata): Metadata {
  const merged = {
    user_metadata: { ...source.user_metadata, ...destination.user_metadata },
    app_metadata: { ...source.app_metadata, ...destination.app_metadata },
  }
  return isMetadataWithinLimit(merged) ? merged : destination
}

export function isSameMetadata(one: Metadata, other: Metadata): boolean {
  return (
    isDeepStrictEqual(one.user_metadata, other.user_metadata) && isDeepStrictEqual(one.app_metadata, other.app_metadata)
  )
}

/** JSON Merge Patch of an object (RFC 7396, 2): null deletes a member, objects are patched, any other value replaces. */
function patchObject(target: MetadataPart, patch: MetadataPart): MetadataPart {
  const members = new Map(Object.entries(target))
  for (const [name, change] of Object.entries(patch)) {
    if (change === null) members.delete(name)
    else members.set(name, isObject(change) ? patchObject(toObject(members.get(name)), change) : change)
  }
  return Object.fromEntries(members)
}

function toObject(value: unknown): MetadataPart {
  return isObject(value) ? value : {}
}

function isObject(value: unknown): value is MetadataPart {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
