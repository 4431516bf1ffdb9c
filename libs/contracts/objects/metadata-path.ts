import { limits } from '../limits.ts'
import { Text } from '../scalars.ts'
import { type Metadata, metadataParts } from './metadata.ts'

/**
 * Names a value in the metadata of a user: the part, and the names of the members that lead to the value, separated by dots,
 * e.g. `app_metadata.plan`. Members whose names have dots, commas, equals signs or spaces cannot be named.
 */
export const MetadataPath = Text.max(255).regex(
  new RegExp(`^(?:${metadataParts.join('|')})(?:\\.[^.,=\\s]+){1,${limits.metadata_depth}}$`),
  'must be a part and names of members, such as app_metadata.plan',
)

/** The value at a path; undefined if the metadata has none. */
export function readMetadataPath(metadata: Metadata, path: string): unknown {
  let value: unknown = metadata
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, name))
      return undefined
    value = Reflect.get(value, name)
  }
  return value
}
