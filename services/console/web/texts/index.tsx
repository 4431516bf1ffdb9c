import { createContext, type ReactNode, use, useEffect, useState } from 'react'
import { type CompiledMessage, createTexts, formatMessage, type TextsOf } from '#messages'
import type { catalogue as en } from './en/index.ts'
import type { Guides } from './guide.ts'
import type { Parameters } from './parameters.ts'

export type Texts = TextsOf<typeof en, Parameters>
export const languages = { en: 'English', ja: '日本語' } as const
export type Language = keyof typeof languages

interface Catalogue {
  readonly catalogue: typeof en
  /** The Admin API's sentences by the names of its reasons. */
  readonly reasons: Readonly<Record<string, CompiledMessage>>
  readonly guides: Guides
}

/** Each language's catalogue is loaded when it is chosen; the build has compiled its messages (`messages-plugin.ts`). */
const catalogues: Record<Language, () => Promise<Catalogue>> = {
  en: () => import('./en/index.ts'),
  ja: () => import('./ja/index.ts'),
}

interface LoadedTexts {
  readonly language: Language
  readonly texts: Texts
  readonly guides: Guides
}
interface TextsContextValue extends LoadedTexts {
  readonly chooseLanguage: (language: Language) => void
}

const storageKey = 'console-language'
const TextsContext = createContext<TextsContextValue | null>(null)

let currentReasons: { readonly language: Language; readonly messages: ReadonlyMap<string, CompiledMessage> } | undefined

/** The language chosen before, or the browser's. */
export async function loadTexts(language: Language = getPreferredLanguage()): Promise<LoadedTexts> {
  const { catalogue, reasons, guides } = await catalogues[language]()
  currentReasons = { language, messages: new Map(Object.entries(reasons)) }
  return { language, texts: createTexts<typeof en, Parameters>(language, catalogue), guides }
}

/**
 * The sentence of a reason in the language of the page; undefined where the page does not know the reason.
 *
 * @param parameters as they arrived; the text of one that is missing is empty
 */
export function translateReason(name: string, parameters: Readonly<Record<string, string>>): string | undefined {
  const message = currentReasons?.messages.get(name)
  if (currentReasons === undefined || message === undefined) return undefined
  const complete = new Proxy(parameters, { has: () => true, get: (given, key) => Reflect.get(given, key) ?? '' })
  return formatMessage(currentReasons.language, message, complete)
}

function getPreferredLanguage(): Language {
  const chosen = localStorage.getItem(storageKey)
  if (chosen === 'en' || chosen === 'ja') return chosen
  return navigator.language.startsWith('ja') ? 'ja' : 'en'
}

export function TextsProvider({ first: initial, children }: { first: LoadedTexts; children: ReactNode }) {
  const [loaded, setSpoken] = useState(initial)
  useEffect(() => {
    document.documentElement.lang = loaded.language
  }, [loaded.language])

  const choose = async (language: Language) => {
    localStorage.setItem(storageKey, language)
    setSpoken(await loadTexts(language))
  }
  return <TextsContext value={{ ...loaded, chooseLanguage: choose }}>{children}</TextsContext>
}

export function useLanguage(): TextsContextValue {
  const value = use(TextsContext)
  if (value === null) throw new Error('Nothing is said outside <Speaking>.')
  return value
}

/** What the page says, in the language chosen. */
export function useTexts(): Texts {
  return useLanguage().texts
}
