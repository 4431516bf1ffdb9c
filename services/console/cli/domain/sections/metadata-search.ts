import { z } from 'zod'
import { MetadataSearchSetting } from '#contracts'
import { listChanges } from '../changes.ts'
import type { FileSection } from './section.ts'

/** By which metadata users can be filtered. */
export const metadataSearchSection: FileSection<z.infer<typeof MetadataSearchSetting>, 'readMetadataSearch'> = {
  schema: z.strictObject(MetadataSearchSetting.shape),
  reader: 'readMetadataSearch',
  plan({ site, path }, desired, actual) {
    const before = actual?.paths ?? []
    const changes = listChanges(desired, { paths: before })
    if (changes.length === 0) return undefined
    return {
      procedure: 'changeMetadataSearch',
      kind: before.length === 0 ? 'create' : 'change',
      subject: `metadata search ${site.account}/${site.site_id}`,
      path,
      input: { ...site, ...desired },
      ...(actual && { revision: actual.revision }),
      changes,
    }
  },
  toDesired: ({ paths }) => (paths.length > 0 ? { paths } : undefined),
}
