import { z } from 'zod'
import { limits } from '../limits.ts'
import { Count, isStorableText, Timestamp } from '../scalars.ts'
import { MetadataPath } from './metadata-path.ts'

/** In a path of Postgres, a number is also a place in a list, which the index does not have. */
const SearchedPath = MetadataPath.refine(
  (path) => !/\.\d+(\.|$)/.test(path),
  'must have no names of digits only, such as user_metadata.tags.0',
)

/** The values of the metadata of a site's users by which lists can be filtered. */
export const MetadataSearchSetting = z.object({
  paths: z
    .array(SearchedPath)
    .max(limits.metadata_search_paths)
    .refine((paths) => new Set(paths).size === paths.length, 'must have each path once'),
})

/** Stored metadata is indexed in the background, and values of paths that are switched off are deleted. */
export const MetadataSearchState = MetadataSearchSetting.extend({
  /** Null: the metadata of every user is indexed. */
  indexing: z.object({ started_at: Timestamp, users_indexed: Count }).nullable(),
  revision: Count,
})
export type MetadataSearchState = z.infer<typeof MetadataSearchState>

/** A path and the exact value of the user, or of one item of a list: `app_metadata.plan=gold`. A path has no equals sign. */
export const MetadataCondition = z.string().refine((text) => {
  const { path, value } = parseMetadataCondition(text)
  const isValue = value !== '' && value.length <= limits.metadata_search_characters && isStorableText(value)
  return SearchedPath.safeParse(path).success && isValue
}, `must be a path, an equals sign and a value of up to ${limits.metadata_search_characters} characters, such as app_metadata.plan=gold`)

export function parseMetadataCondition(text: string): { readonly path: string; readonly value: string } {
  const [path = ''] = text.split('=', 1)
  return { path, value: text.slice(path.length + 1) }
}
