import { z } from 'zod'
import { UserSearchSetting } from '#contracts'
import { listChanges } from '../changes.ts'
import { describeSectionChange, type FileSection } from './section.ts'

/** By which fields of profiles users can be found. */
export const userSearchSection: FileSection<z.infer<typeof UserSearchSetting>, 'readUserSearch'> = {
  schema: z.strictObject(UserSearchSetting.shape),
  reader: 'readUserSearch',
  plan(place, desired, actual) {
    const before = actual?.fields ?? []
    const changes = listChanges(desired, { fields: before })
    const step = describeSectionChange(place, { name: 'user search', isNew: before.length === 0, actual, changes })
    return step && { procedure: 'changeUserSearch', input: { ...place.site, ...desired }, ...step }
  },
  toDesired: ({ fields }) => (fields.length > 0 ? { fields } : undefined),
}
