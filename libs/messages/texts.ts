import format, { type CompiledMessage, type FormatValues } from 'icu-minify/format'

export type { CompiledMessage }

/** Messages in ICU MessageFormat by key, as in a JSON file. */
export interface Catalogue {
  readonly [key: string]: string | Catalogue
}

/** A catalogue after `compileCatalogue`. A message without parameters is still a string. */
export type Compiled<C> = {
  readonly [K in keyof C]: C[K] extends string ? CompiledMessage : Compiled<C[K]>
}

/**
 * The texts of a page: strings, and functions of parameters.
 *
 * @typeParam C a catalogue
 * @typeParam P the parameters of its messages, by the same keys
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
  const createEntry = (entry: unknown): unknown => {
    if (typeof entry === 'string') return entry
    if (isMessage(entry)) return (parameters: FormatValues) => formatMessage(language, entry, parameters)
    return createEntries(Object(entry))
  }
  const createEntries = (entries: object) =>
    Object.fromEntries(Object.entries(entries).map(([key, entry]) => [key, createEntry(entry)]))
  // The keys are the same. The generated type of the parameters decides which messages are functions.
  return createEntries(catalogue) as TextsOf<C, P>
}

/** Does not check parameters: types and tests do. A missing one is shown as `undefined`. */
export function formatMessage(language: string, message: CompiledMessage, parameters: FormatValues): string {
  // Only messages with tags return lists, and our catalogues have none.
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
