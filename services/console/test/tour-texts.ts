import { readFileSync } from 'node:fs'
import { type Catalogue, compileCatalogue, formatMessage } from '#messages'

export type TourLanguage = 'en' | 'ja'

/** Finds a text that people see by its file and keys, e.g. `users.block_title`, and fills in the parameters. */
export type FindText = (path: string, parameters?: Readonly<Record<string, string | number>>) => string

/** The texts of the console. */
export function readConsoleTexts(language: TourLanguage): FindText {
  return createFinder(language, ([file = '', ...keys]) => [
    `services/console/web/texts/${language}/${file.replaceAll('_', '-')}.json`,
    keys,
  ])
}

/** The texts of the login pages and the account page. */
export function readPageTexts(language: TourLanguage): FindText {
  return createFinder(language, (keys) => [`services/provider-auth/texts/${language}.json`, keys])
}

function createFinder(
  language: TourLanguage,
  locate: (path: readonly string[]) => [file: string, keys: readonly string[]],
): FindText {
  return (path, parameters = {}) => {
    const [file, keys] = locate(path.split('.'))
    const text = keys.reduce((entry: unknown, key) => Reflect.get(Object(entry), key), readCatalogue(file))
    if (typeof text !== 'string') throw new Error(`${file} has no text ${keys.join('.')}.`)
    const { message } = compileCatalogue({ message: text }, file)
    return typeof message === 'string' ? message : formatMessage(language, message, parameters)
  }
}

function readCatalogue(file: string): Catalogue {
  return JSON.parse(readFileSync(file, 'utf8'))
}
