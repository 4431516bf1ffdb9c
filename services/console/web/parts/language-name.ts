/** The name of a language in itself, e.g. `日本語`. */
export function nameLanguage(tag: string): string {
  return new Intl.DisplayNames(tag, { type: 'language' }).of(tag) ?? tag
}
