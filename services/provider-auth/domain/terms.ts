import type { Consent, ConsentAnswer, DocumentOfVersion, TermsDocument } from '#contracts'

/**
 * The documents that a user still has to answer, in their order: those without an answer to a version that counts, and required
 * ones that the user did not accept.
 */
export function listOpenDocuments(
  documents: readonly TermsDocument[],
  consents: readonly Consent[],
): readonly TermsDocument[] {
  return documents.filter(({ name, kind, minimum_version }) => {
    const consent = consents.find(({ document }) => document === name)
    const isAnswered = consent !== undefined && consent.version >= minimum_version
    return !(isAnswered && (kind === 'optional' || consent.accepted))
  })
}

/** The documents without which no login is completed. */
export function listRequired(documents: readonly TermsDocument[]): readonly TermsDocument[] {
  return documents.filter(({ kind }) => kind === 'required')
}

/** The current versions of documents as text, which `DocumentsOfVersions` parses. */
export function formatDocuments(documents: readonly TermsDocument[]): string {
  return documents.map(({ name, version }) => `${name}:${version}`).join(' ')
}

/** Whether the document is one of the list, in its current version. */
export function includesDocument(list: readonly DocumentOfVersion[], { name, version }: TermsDocument): boolean {
  return list.some((one) => one.document === name && one.version === version)
}

export function toAnswer({ name, version }: TermsDocument, accepted: boolean): ConsentAnswer {
  return { document: name, version, accepted }
}

/** The end user left the page without accepting what the login needs. */
export class TermsDeclined extends Error {
  override readonly name = 'TermsDeclined'
  constructor() {
    super('The end user did not accept the documents of the site.')
  }
}
