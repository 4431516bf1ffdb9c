import { z } from 'zod'
import { limits } from '../limits.ts'
import { Text, Timestamp } from '../scalars.ts'
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

/** A document in one of its versions. */
export type DocumentOfVersion = Pick<ConsentAnswer, 'document' | 'version'>

/** Documents with their versions as text, e.g. `terms:2 newsletter:1`. */
export const DocumentsOfVersions = Text.max(2_048)
  .regex(/^[^ :]+:[1-9]\d*( [^ :]+:[1-9]\d*)*$/)
  .transform((text) =>
    text.split(' ').map((one): DocumentOfVersion => {
      const [document = '', version] = one.split(':')
      return { document, version: Number(version) }
    }),
  )
  .pipe(
    z
      .array(ConsentAnswer.pick({ document: true, version: true }))
      .max(limits.consents_per_user)
      .refine(areDocumentsUnique),
  )

/** Answers to documents, each of which is named once. */
export const ConsentAnswers = z
  .array(ConsentAnswer)
  .min(1)
  .max(limits.consents_per_user)
  .refine(areDocumentsUnique, 'must not have two answers to one document')

export function areDocumentsUnique(answers: readonly Pick<ConsentAnswer, 'document'>[]): boolean {
  return new Set(answers.map(({ document }) => document)).size === answers.length
}
