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

interface Spoken {
  readonly language: Language
  readonly texts: Texts
  readonly guides: Guides
}
interface Speech extends Spoken {
  readonly choose: (language: Language) => void
}

const keptAs = 'console-language'
const Context = createContext<Speech | null>(null)

let reasonsNow: { readonly language: Language; readonly messages: ReadonlyMap<string, CompiledMessage> } | undefined

/** The language chosen before, or the browser's. */
export async function speak(language: Language = preferred()): Promise<Spoken> {
  const { catalogue, reasons, guides } = await catalogues[language]()
  reasonsNow = { language, messages: new Map(Object.entries(reasons)) }
  return { language, texts: createTexts<typeof en, Parameters>(language, catalogue), guides }
}

/**
 * The sentence of a reason in the language of the page; undefined where the page does not know the reason.
 *
 * @param parameters as they arrived; the text of one that is missing is empty
 */
export function reasonText(name: string, parameters: Readonly<Record<string, string>>): string | undefined {
  const message = reasonsNow?.messages.get(name)
  if (reasonsNow === undefined || message === undefined) return undefined
  const complete = new Proxy(parameters, { has: () => true, get: (given, key) => Reflect.get(given, key) ?? '' })
  return formatMessage(reasonsNow.language, message, complete)
}

function preferred(): Language {
  const chosen = localStorage.getItem(keptAs)
  if (chosen === 'en' || chosen === 'ja') return chosen
  return navigator.language.startsWith('ja') ? 'ja' : 'en'
}

export function Speaking({ first, children }: { first: Spoken; children: ReactNode }) {
  const [spoken, setSpoken] = useState(first)
  useEffect(() => {
    document.documentElement.lang = spoken.language
  }, [spoken.language])

  const choose = async (language: Language) => {
    localStorage.setItem(keptAs, language)
    setSpoken(await speak(language))
  }
  return <Context value={{ ...spoken, choose }}>{children}</Context>
}

export function useLanguage(): Speech {
  const speech = use(Context)
  if (speech === null) throw new Error('Nothing is said outside <Speaking>.')
  return speech
}

/** What the page says, in the language chosen. */
export function useTexts(): Texts {
  return useLanguage().texts
}
