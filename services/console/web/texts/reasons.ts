import { type CompiledMessage, formatMessage } from '#messages'
import { type ConsoleLanguage, getLanguage } from './language.ts'

/** Translates a reason; undefined if the page does not know it. Missing parameters are replaced with an empty text. */
export type TranslateReason = (name: string, parameters: Readonly<Record<string, string>>) => string | undefined

/** The Admin API's messages by the names of its reasons; they are loaded with the first error. */
const catalogues: Record<ConsoleLanguage, () => Promise<Readonly<Record<string, CompiledMessage>>>> = {
  en: async () => (await import('virtual:contract/english-reasons')).reasons,
  // The build has compiled its messages.
  ja: async () => (await import('./ja/reasons.json')).default,
}

/** Loads the messages of reasons in the language of the page. Without them, the messages of the service are shown. */
export async function loadReasonTexts(): Promise<TranslateReason> {
  const language = getLanguage()
  const messages = new Map(Object.entries(await catalogues[language]().catch(() => ({}))))
  return (name, parameters) => {
    const message = messages.get(name)
    if (message === undefined) return undefined
    const complete = new Proxy(parameters, { has: () => true, get: (given, key) => Reflect.get(given, key) ?? '' })
    return formatMessage(language, message, complete)
  }
}
