import { z } from 'zod'
import { UserSearchSetting } from '#contracts'
import { listChanges } from '../changes.ts'
import type { FileSection } from './section.ts'

/** By which fields of profiles users can be found. */
export const userSearchSection: FileSection<z.infer<typeof UserSearchSetting>, 'readUserSearch'> = {
  schema: z.strictObject(UserSearchSetting.shape),
  reader: 'readUserSearch',
  plan({ site, path }, desired, actual) {
    const before = actual?.fields ?? []
    const changes = listChanges(desired, { fields: before })
    if (changes.length === 0) return undefined
    return {
      procedure: 'changeUserSearch',
      kind: before.length === 0 ? 'create' : 'change',
      subject: `user search ${site.account}/${site.site_id}`,
      path,
      input: { ...site, ...desired },
      ...(actual && { revision: actual.revision }),
      changes,
    }
  },
  toDesired: ({ fields }) => (fields.length > 0 ? { fields } : undefined),
}
