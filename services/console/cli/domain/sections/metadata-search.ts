import { z } from 'zod'
import { MetadataSearchSetting } from '#contracts'
import { listChanges } from '../changes.ts'
import { describeSectionChange, type FileSection } from './section.ts'

/** By which metadata users can be filtered. */
export const metadataSearchSection: FileSection<z.infer<typeof MetadataSearchSetting>, 'readMetadataSearch'> = {
  schema: z.strictObject(MetadataSearchSetting.shape),
  reader: 'readMetadataSearch',
  plan(place, desired, actual) {
    const before = actual?.paths ?? []
    const changes = listChanges(desired, { paths: before })
    const step = describeSectionChange(place, { name: 'metadata search', isNew: before.length === 0, actual, changes })
    return step && { procedure: 'changeMetadataSearch', input: { ...place.site, ...desired }, ...step }
  },
  toDesired: ({ paths }) => (paths.length > 0 ? { paths } : undefined),
}
