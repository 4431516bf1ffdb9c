import format, { type CompiledMessage, type FormatValues } from 'icu-minify/format'

export type { CompiledMessage }

/** Messages in ICU MessageFormat by their keys, as in a JSON file. */
export interface Catalogue {
  readonly [key: string]: string | Catalogue
}

/** A catalogue after `compileCatalogue`. A message without parameters is still a string. */
export type Compiled<C> = {
  readonly [K in keyof C]: C[K] extends string ? CompiledMessage : Compiled<C[K]>
}

/**
 * What a page shows: strings, and functions of their parameters.
 *
 * @typeParam C a catalogue
 * @typeParam P the parameters of those of its messages that have some, by the same keys
 */
export type TextsOf<C, P> = {
  readonly [K in keyof C]: C[K] extends string
    ? K extends keyof P
      ? (parameters: P[K]) => string
      : string
    : TextsOf<C[K], K extends keyof P ? P[K] : unknown>
}

/** @param language a BCP 47 tag: chooses plural rules and the formats of numbers and dates */
export function createTexts<C, P>(language: string, catalogue: Compiled<C>): TextsOf<C, P> {
  const textOf = (entry: unknown): unknown => {
    if (typeof entry === 'string') return entry
    if (isMessage(entry)) return (parameters: FormatValues) => formatMessage(language, entry, parameters)
    return textsOf(Object(entry))
  }
  const textsOf = (entries: object) =>
    Object.fromEntries(Object.entries(entries).map(([key, entry]) => [key, textOf(entry)]))
  // The same keys; the generated type of the parameters says which messages are functions.
  return textsOf(catalogue) as TextsOf<C, P>
}

/** Parameters are not checked here: types and tests check those of the catalogues. One that is missing is shown as `undefined`. */
export function formatMessage(language: string, message: CompiledMessage, parameters: FormatValues): string {
  // Only messages with tags give lists, and our catalogues have none.
  return String(format(message, language, parameters, { formatters }))
}

function isMessage(entry: unknown): entry is CompiledMessage {
  return Array.isArray(entry)
}

const formatters = {
  getNumberFormat: (...options: ConstructorParameters<typeof Intl.NumberFormat>) => new Intl.NumberFormat(...options),
  getPluralRules: (...options: ConstructorParameters<typeof Intl.PluralRules>) => new Intl.PluralRules(...options),
  getDateTimeFormat: (...options: ConstructorParameters<typeof Intl.DateTimeFormat>) =>
    new Intl.DateTimeFormat(...options),
}
