import { z } from 'zod'
import { limits } from '../limits.ts'
import { Timestamp } from '../scalars.ts'
import { DocumentName, DocumentVersion } from './site-terms.ts'

/** What a user answered to a document of a site: the version that was shown, and whether the user accepted it. */
export const ConsentAnswer = z.object({
  document: DocumentName,
  version: DocumentVersion,
  accepted: z.boolean(),
})
export type ConsentAnswer = z.infer<typeof ConsentAnswer>

/** The latest answer of a user to a document. */
export const Consent = ConsentAnswer.extend({ answered_at: Timestamp })
export type Consent = z.infer<typeof Consent>

/** Answers to documents, each of which is named once. */
export const ConsentAnswers = z
  .array(ConsentAnswer)
  .min(1)
  .max(limits.consents_per_user)
  .refine(areDocumentsUnique, 'must not have two answers to one document')

export function areDocumentsUnique(answers: readonly Pick<ConsentAnswer, 'document'>[]): boolean {
  return new Set(answers.map(({ document }) => document)).size === answers.length
}
