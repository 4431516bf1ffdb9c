import { z } from 'zod'
import { limits } from '../limits.ts'
import { Count, Text } from '../scalars.ts'
import { LanguageTag } from './site-look.ts'

/** The name of a document, by which answers refer to it. */
export const DocumentName = z
  .string()
  .regex(
    /^[a-z][a-z0-9_]{0,30}$/,
    'must be lower-case letters, digits and underscores, at most 31, with a letter first',
  )

/** Versions count up, so that it is clear which one is later. */
export const DocumentVersion = z.int().min(1).max(999_999_999)

/** An address that opens in a new tab; `{language}` stands for the language of the page. */
const DocumentUrl = Text.max(2_048).refine((text) => {
  const url = URL.parse(text.replaceAll('{language}', 'en'))
  return url?.protocol === 'https:' && !/[\s"'<>\\^`|]/.test(text)
}, 'must be an address that begins with https://')

/** What end users read about a document in a language. */
const DocumentText = z.strictObject({
  /** The name of the document, or the question of an optional one. */
  title: Text.trim().min(1).max(300),
  /** Where the document is; null: the title says all. */
  url: DocumentUrl.nullable().default(null),
})

/** A document of a site that end users accept, such as its terms of use, or a consent that they can give, such as a newsletter. */
export const TermsDocument = z
  .strictObject({
    name: DocumentName,
    /** Whether a login needs the acceptance, or the end user may decline. */
    kind: z.enum(['required', 'optional']),
    /** The version that end users answer to now. */
    version: DocumentVersion,
    /** The earliest version whose answers still count. Users with an earlier answer are asked again. */
    minimum_version: DocumentVersion.default(1),
    /** The texts by language. Pages in other languages show the English one, or the first. */
    texts: z.record(LanguageTag, DocumentText).refine((texts) => {
      const count = Object.keys(texts).length
      return count > 0 && count <= limits.terms_languages
    }, `must have 1 to ${limits.terms_languages} languages`),
  })
  .refine(({ version, minimum_version }) => minimum_version <= version, {
    path: ['minimum_version'],
    message: 'must not be later than version',
  })
export type TermsDocument = z.infer<typeof TermsDocument>

/** The documents of a site, in the order in which end users see them. */
export const TermsDocuments = z
  .array(TermsDocument)
  .max(limits.terms_documents)
  .refine(
    (documents) => new Set(documents.map(({ name }) => name)).size === documents.length,
    'must not have two documents of one name',
  )

/** The terms of a site. Without documents, end users are not asked. */
export const SiteTerms = z.object({
  documents: TermsDocuments,
  /** Of these settings. */
  revision: Count,
})
export type SiteTerms = z.infer<typeof SiteTerms>
