/** Where the operator publishes the documentation; empty: nowhere. */
const baseUrl = document.querySelector<HTMLMetaElement>('meta[name="documentation"]')?.content ?? ''

/** The URL of a page of the documentation; undefined if the operator publishes none. @param page for example `use/console#search` */
export function getDocumentationUrl(page: string): string | undefined {
  const [path, anchor] = page.split('#')
  return baseUrl === '' ? undefined : `${baseUrl}/${path}.html${anchor === undefined ? '' : `#${anchor}`}`
}
