import { createContext, type ReactNode, use, useEffect, useState } from 'react'
import type { Texts } from './en/index.ts'

export type { Texts }
export const languages = { en: 'English', ja: '日本語' } as const
export type Language = keyof typeof languages

/** Each language's catalogue is loaded when it is chosen; one that lacks a text does not compile. */
const catalogues: Record<Language, () => Promise<Texts>> = {
  en: async () => (await import('./en/index.ts')).en,
  ja: async () => (await import('./ja/index.ts')).ja,
}

interface Spoken {
  readonly language: Language
  readonly texts: Texts
}
interface Speech extends Spoken {
  readonly choose: (language: Language) => void
}

const kept_as = 'console-language'
const Context = createContext<Speech | null>(null)

let spoken_last: Texts | undefined

/** The language chosen before, or the browser's. */
export async function speak(language: Language = preferred()): Promise<Spoken> {
  const texts = await catalogues[language]()
  spoken_last = texts
  return { language, texts }
}

/** What the page says, for what is no part of it: a refusal is put into words when it arrives. */
export function textsNow(): Texts | undefined {
  return spoken_last
}

function preferred(): Language {
  const chosen = localStorage.getItem(kept_as)
  if (chosen === 'en' || chosen === 'ja') return chosen
  return navigator.language.startsWith('ja') ? 'ja' : 'en'
}

export function Speaking({ first, children }: { first: Spoken; children: ReactNode }) {
  const [spoken, setSpoken] = useState(first)
  useEffect(() => {
    document.documentElement.lang = spoken.language
  }, [spoken.language])

  const choose = async (language: Language) => {
    localStorage.setItem(kept_as, language)
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
