import compile from 'icu-minify/compile'
import type { Catalogue, Compiled } from './texts.ts'

/**
 * Compiles the messages of a catalogue from ICU MessageFormat to the input of `createTexts`.
 *
 * @param file of the catalogue, for error messages
 * @throws Error with the file and the message's key if a message has invalid syntax
 */
export function compileCatalogue<C extends Catalogue>(catalogue: C, file: string): Compiled<C> {
  const compileEntry = (key: string, entry: string | Catalogue): unknown => {
    if (typeof entry !== 'string') return compileEntries(entry, `${key}.`)
    try {
      return compile(entry)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      throw new Error(`${file}: the message ${key} is not valid ICU MessageFormat (${reason}).`, { cause: error })
    }
  }
  const compileEntries = (entries: Catalogue, prefix: string) =>
    Object.fromEntries(Object.entries(entries).map(([key, entry]) => [key, compileEntry(`${prefix}${key}`, entry)]))
  // The same keys, and each message in its compiled form.
  return compileEntries(catalogue, '') as Compiled<C>
}
