import { z } from 'zod'
import { SiteTerms } from '#admin-api'
import { listValues } from '../changes.ts'
import type { Change } from '../step.ts'
import { describeSectionChange, type FileSection } from './section.ts'

type Documents = SiteTerms['documents']

/** The documents that end users accept, in their order. The input of `terms change` has the same form. */
const DesiredTerms = z.strictObject({ documents: SiteTerms.shape.documents })

export const termsSection: FileSection<z.infer<typeof DesiredTerms>, 'readTerms'> = {
  schema: DesiredTerms,
  reader: 'readTerms',
  plan(place, { documents }, actual) {
    const before = actual?.documents ?? []
    const changes = listDocumentChanges(before, documents)
    const step = describeSectionChange(place, { name: 'terms', isNew: before.length === 0, actual, changes })
    return step && { procedure: 'changeTerms', input: { ...place.site, documents }, ...step }
  },
  toDesired: ({ documents }) => (documents.length > 0 ? { documents } : undefined),
}

/** Lists which documents there are, and the values that differ by the names of the documents, for example `terms.version`. */
function listDocumentChanges(before: Documents, after: Documents): Change[] {
  const [valuesBefore, valuesAfter] = [listDocumentValues(before), listDocumentValues(after)]
  const fields = new Set([...valuesBefore.keys(), ...valuesAfter.keys()])
  return [...fields].flatMap((field) => {
    const [valueBefore, valueAfter] = [valuesBefore.get(field) ?? null, valuesAfter.get(field) ?? null]
    return valueBefore === valueAfter ? [] : [{ field, before: valueBefore, after: valueAfter }]
  })
}

/** The names in their order, and each value of a document by its path. A path has a dot, so that none is `documents`. */
function listDocumentValues(documents: Documents): ReadonlyMap<string, unknown> {
  const values = documents.flatMap(({ name, ...document }) => listValues(document, `${name}.`))
  return new Map<string, unknown>([['documents', documents.map(({ name }) => name).join(', ') || null], ...values])
}
