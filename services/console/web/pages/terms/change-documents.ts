import { call } from '../../admin/call.ts'
import { RequestFault } from '../../admin/fault.ts'
import { mutate, queryClient } from '../../admin/queries.ts'
import type { SiteReference, TermsDocument } from '../../admin/types.ts'
import { isEqual } from '../../parts/changes.ts'

type Documents = readonly TermsDocument[]

/**
 * Changes the documents as they are now, so that changes to other documents since the page was read remain.
 *
 * @param before the changed document as the member saw it
 * @throws RequestFault `revision_mismatch` if someone else changed this document
 */
export async function changeDocuments(
  site: SiteReference,
  change: (documents: Documents) => Documents,
  before?: TermsDocument,
): Promise<void> {
  const { documents, revision } = await call('readTerms', site)
  const current = documents.find(({ name }) => name === before?.name)
  if (before !== undefined && !isEqual(current, before)) {
    await queryClient.invalidateQueries({ queryKey: ['readTerms'] })
    throw new RequestFault('revision_mismatch', '')
  }
  await mutate('changeTerms', { ...site, documents: [...change(documents)] }, { revision })
}

/** Replaces the document of this name, or appends it. */
export function replaceDocument(documents: Documents, document: TermsDocument): Documents {
  const at = documents.findIndex(({ name }) => name === document.name)
  return at < 0 ? [...documents, document] : documents.with(at, document)
}

export function removeDocument(documents: Documents, name: string): Documents {
  return documents.filter((document) => document.name !== name)
}

/** Moves a document one place up (-1) or down (1), if there is a place. */
export function moveDocument(documents: Documents, name: string, by: -1 | 1): Documents {
  const from = documents.findIndex((document) => document.name === name)
  const [document, to] = [documents[from], from + by]
  if (document === undefined || to < 0 || to >= documents.length) return documents
  return documents.toSpliced(from, 1).toSpliced(to, 0, document)
}
