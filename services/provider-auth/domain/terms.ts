import type { Consent, ConsentAnswer, TermsDocument } from '#contracts'

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

/** A document with its version as text, e.g. `terms:2`. */
export function formatDocument({ name, version }: Pick<TermsDocument, 'name' | 'version'>): string {
  return `${name}:${version}`
}

/** Documents with their versions as one text, separated by spaces. */
export function formatDocuments(documents: readonly Pick<TermsDocument, 'name' | 'version'>[]): string {
  return documents.map(formatDocument).join(' ')
}

/** Whether a text is one that `formatDocuments` can return. */
export function areFormattedDocuments(text: string): boolean {
  return /^[a-z][a-z0-9_]{0,30}:[1-9]\d{0,8}( [a-z][a-z0-9_]{0,30}:[1-9]\d{0,8}){0,49}$/.test(text)
}

/** Whether the text, from `formatDocuments`, has the document in its current version. */
export function includesDocument(text: string, document: Pick<TermsDocument, 'name' | 'version'>): boolean {
  return text.split(' ').includes(formatDocument(document))
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
