import type { TermsDocument } from '#contracts'
import { createPages, type PageResponse } from '#http'
import { setFormRedirectPolicy } from './content-security-policy.ts'
import { getPageLanguage } from './context/language.ts'
import { getPageContext } from './context/page-context.ts'
import { getLayout, isolate } from './layout.ts'

/** The documents of a site that an end user has to answer in a login. */
export interface TermsView {
  readonly documents: readonly {
    readonly document: TermsDocument
    /** Whether the end user has checked it before. */
    readonly is_accepted: boolean
  }[]
  /** Whether the end user continued without accepting a required one. */
  readonly is_missing: boolean
  /** Hidden fields of the form. */
  readonly hidden: Readonly<Record<string, string>>
  /** Where the browser goes afterwards. */
  readonly callback: string
  readonly site: { readonly account: string; readonly site_id: string }
}

const writePage = createPages(import.meta.dirname)

/** Renders the documents with a check box each, in a form to the page's own address. Links to documents open in new tabs. */
export function renderTerms(ctx: PageResponse, { documents, is_missing, hidden, callback, site }: TermsView): void {
  const { language, direction, texts } = getPageLanguage(ctx)
  const { name } = getPageContext(ctx).branding
  const { heading, explanation, accept, read, missing, ...rest } = texts.terms
  setFormRedirectPolicy(ctx, callback)
  const rows = documents.map(({ document, is_accepted }) => {
    const { text, textLanguage } = findText(document, language)
    const { title, url } = text
    const isRequired = document.kind === 'required'
    return {
      name: document.name,
      // A title in another language is marked, so that screen readers pronounce it.
      title_language: textLanguage === language ? undefined : textLanguage,
      label: isRequired && url !== null ? accept({ document: isolate(title) }) : title,
      is_required: isRequired,
      kind: isRequired ? rest.required : rest.optional,
      is_accepted,
      is_missing: is_missing && isRequired && !is_accepted,
      link: url === null ? undefined : { address: toAddress(url, language), text: read({ document: isolate(title) }) },
    }
  })
  writePage(ctx, 200, 'terms', {
    ...getLayout(ctx),
    ...rest,
    direction,
    heading,
    explanation: explanation({ site: isolate(name ?? `${site.account}/${site.site_id}`) }),
    notice: is_missing ? { text: missing, is_success: false } : undefined,
    rows,
    hidden,
    action: ctx.path,
  })
}

/** The text in the language of the page, else in its base language, in English, or the first one. */
function findText({ texts }: TermsDocument, language: string) {
  const [base = language] = language.split('-')
  const [first = ''] = Object.keys(texts)
  const found = [language, base, 'en', first].find((tag) => texts[tag] !== undefined) ?? first
  return { text: texts[found] ?? { title: '', url: null }, textLanguage: found }
}

function toAddress(url: string, language: string): string {
  return url.replaceAll('{language}', language)
}
