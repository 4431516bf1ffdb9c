/** @jsxImportSource preact */
import { type ComponentChildren, createContext } from 'preact'
import { useContext, useState } from 'preact/hooks'
import { createTexts, type TextsOf } from '#messages'
import type { catalogue as en } from '../texts/en/signed-out.ts'
import { type ConsoleLanguage, getLanguage, storeLanguage } from '../texts/language.ts'
import type { MessageParameters } from '../texts/parameters.ts'

export type SignInTexts = TextsOf<typeof en, MessageParameters>

const catalogues: Record<ConsoleLanguage, () => Promise<{ readonly catalogue: typeof en }>> = {
  en: () => import('../texts/en/signed-out.ts'),
  ja: () => import('../texts/ja/signed-out.ts'),
}

interface TextsContextValue {
  readonly texts: SignInTexts
  readonly chooseLanguage: (language: ConsoleLanguage) => void
}

const TextsContext = createContext<TextsContextValue | null>(null)

/** Loads the texts of a language; by default that of the page. */
export async function loadSignInTexts(language: ConsoleLanguage = getLanguage()): Promise<SignInTexts> {
  const { catalogue } = await catalogues[language]()
  return createTexts<typeof en, MessageParameters>(language, catalogue)
}

export function SignInTextsProvider({ first, children }: { first: SignInTexts; children: ComponentChildren }) {
  const [texts, setTexts] = useState(first)
  const chooseLanguage = async (language: ConsoleLanguage) => {
    const chosen = await loadSignInTexts(language)
    storeLanguage(language)
    setTexts(chosen)
  }
  return <TextsContext value={{ texts, chooseLanguage }}>{children}</TextsContext>
}

export function useSignInLanguage(): TextsContextValue {
  const value = useContext(TextsContext)
  if (value === null) throw new Error('useSignInLanguage is called outside <SignInTextsProvider>.')
  return value
}

export const useSignInTexts = (): SignInTexts => useSignInLanguage().texts
