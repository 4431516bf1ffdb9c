import { RequestFault } from '../../admin/fault.ts'
import type { TermsDocument } from '../../admin/types.ts'

type TextField = `title_${string}` | `url_${string}`

/** The values of a document's form. The texts of each language are two fields. */
export type DocumentValues = {
  /** The document when the form was opened; undefined for a new one. */
  before: TermsDocument | undefined
  name: string
  kind: TermsDocument['kind']
  /** Who is asked about a new version: everyone, or only users who have not answered any version that counts. */
  asks: 'everyone' | 'new_users'
  languages: string[]
} & { [field in TextField]: string }

export function toDocumentValues(before: TermsDocument | undefined, language: string): DocumentValues {
  const texts = Object.entries(before?.texts ?? { [language]: { title: '', url: null } })
  const fields = texts.flatMap(([tag, { title, url }]) => [
    [`title_${tag}`, title],
    [`url_${tag}`, url ?? ''],
  ])
  const values = {
    before,
    name: before?.name ?? '',
    kind: before?.kind ?? 'required',
    asks: 'everyone' as const,
    languages: texts.map(([tag]) => tag),
  }
  // The entries have the names of the fields of texts.
  return { ...values, ...Object.fromEntries(fields) } as DocumentValues
}

/** The document of the form, in the next version if `isNewVersion`. */
export function toDocument(values: DocumentValues, isNewVersion: boolean): TermsDocument {
  const { before, name, kind, asks, languages } = values
  const version = (before?.version ?? 0) + (isNewVersion || before === undefined ? 1 : 0)
  const minimum = isNewVersion && asks === 'everyone' ? version : (before?.minimum_version ?? version)
  const texts = languages.map((tag) => {
    const url = (values[`url_${tag}`] ?? '').trim()
    return [tag, { title: values[`title_${tag}`] ?? '', url: url === '' ? null : url }]
  })
  return { name, kind, version, minimum_version: minimum, texts: Object.fromEntries(texts) }
}

/** Names the fields of a fault, such as `documents.1.texts.en.url`, as the form does. */
export function toFormFault(fault: RequestFault): RequestFault {
  const fields = fault.fields.map(({ field, message }) => {
    const [, , part = field, language, text] = field.split('.')
    return { field: text === undefined ? part : `${text}_${language}`, message }
  })
  return new RequestFault(fault.fault, fault.message, fields, fault.requestId, fault.reason)
}
