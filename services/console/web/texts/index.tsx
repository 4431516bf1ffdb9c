import { createContext, type ReactNode, use, useEffect, useState } from 'react'
import { type CompiledMessage, createTexts, formatMessage, type TextsOf } from '#messages'
import type { areas, catalogue as en, loadExplanations } from './en/index.ts'
import type { Guides, LoadConfiguredGuides } from './guide.ts'
import type { MessageParameters } from './parameters.ts'

export type Texts = TextsOf<typeof en, MessageParameters>
type AreaName = keyof typeof areas
type AreaTexts = {
  readonly [A in AreaName]: TextsOf<
    Awaited<ReturnType<(typeof areas)[A]>>,
    A extends keyof MessageParameters ? MessageParameters[A] : object
  >
}
export const languageNames = { en: 'English', ja: '日本語' } as const
export type ConsoleLanguage = keyof typeof languageNames

interface Catalogue {
  readonly catalogue: typeof en
  /** Load the messages of pages. */
  readonly areas: typeof areas
  /** Loads the Admin API's messages by the names of its reasons. */
  readonly loadReasons: () => Promise<Readonly<Record<string, CompiledMessage>>>
  /** Loads what results and errors of requests mean. */
  readonly loadExplanations: typeof loadExplanations
  readonly guides: Guides
  readonly loadConfiguredGuides: LoadConfiguredGuides
}

/** A catalogue is loaded when its language is selected; the build has compiled its messages (`messages-plugin.ts`). */
const catalogues: Record<ConsoleLanguage, () => Promise<Catalogue>> = {
  en: () => import('./en/index.ts'),
  ja: () => import('./ja/index.ts'),
}

interface LoadedTexts {
  readonly language: ConsoleLanguage
  readonly texts: Texts
  readonly guides: Guides
  readonly loadConfiguredGuides: LoadConfiguredGuides
}
interface TextsContextValue extends LoadedTexts {
  readonly chooseLanguage: (language: ConsoleLanguage) => void
}

const storageKey = 'console-language'
const TextsContext = createContext<TextsContextValue | null>(null)

let current: { readonly language: ConsoleLanguage; readonly loadReasons: Catalogue['loadReasons'] } | undefined

/** Loads the texts of a language; by default the stored language or the browser's. */
export async function loadTexts(language: ConsoleLanguage = getPreferredLanguage()): Promise<LoadedTexts> {
  const { catalogue, loadReasons, ...guides } = await catalogues[language]()
  current = { language, loadReasons }
  return { language, texts: createTexts<typeof en, MessageParameters>(language, catalogue), ...guides }
}

/** Translates a reason; undefined if the page does not know it. Missing parameters are replaced with an empty text. */
export type TranslateReason = (name: string, parameters: Readonly<Record<string, string>>) => string | undefined

/** Loads the messages of reasons in the language of the page. Without them, the messages of the service are shown. */
export async function loadReasonTexts(): Promise<TranslateReason> {
  const { language, loadReasons } = current ?? {}
  if (language === undefined || loadReasons === undefined) return () => undefined
  const messages = new Map(Object.entries(await loadReasons().catch(() => ({}))))
  return (name, parameters) => {
    const message = messages.get(name)
    if (message === undefined) return undefined
    const complete = new Proxy(parameters, { has: () => true, get: (given, key) => Reflect.get(given, key) ?? '' })
    return formatMessage(language, message, complete)
  }
}

function getPreferredLanguage(): ConsoleLanguage {
  const chosen = localStorage.getItem(storageKey)
  if (chosen === 'en' || chosen === 'ja') return chosen
  return navigator.language.startsWith('ja') ? 'ja' : 'en'
}

export function TextsProvider({ first: initial, children }: { first: LoadedTexts; children: ReactNode }) {
  const [loaded, setSpoken] = useState(initial)
  useEffect(() => {
    document.documentElement.lang = loaded.language
  }, [loaded.language])

  const chooseLanguage = async (language: ConsoleLanguage) => {
    localStorage.setItem(storageKey, language)
    setSpoken(await loadTexts(language))
  }
  return <TextsContext value={{ ...loaded, chooseLanguage }}>{children}</TextsContext>
}

export function useLanguage(): TextsContextValue {
  const value = use(TextsContext)
  if (value === null) throw new Error('useLanguage is called outside <TextsProvider>.')
  return value
}

/** React's `use` requires the same promise at each call. */
const loadingReasons = new Map<ConsoleLanguage, Promise<TranslateReason>>()

/** The messages of reasons in the language of the page. Suspends until they are loaded. */
export function useReasonTexts(): TranslateReason {
  const { language } = useLanguage()
  const loading = loadingReasons.get(language) ?? loadReasonTexts()
  loadingReasons.set(language, loading)
  return use(loading)
}

type Explanations = Awaited<ReturnType<typeof loadExplanations>>
const loadingExplanations = new Map<ConsoleLanguage, Promise<Explanations>>()

/** What results and errors of requests mean, in the language of the page. Suspends until it is loaded. */
export function useExplanations(): Explanations {
  const { language } = useLanguage()
  const loading =
    loadingExplanations.get(language) ?? catalogues[language]().then((loaded) => loaded.loadExplanations())
  loadingExplanations.set(language, loading)
  return use(loading)
}

const loadingAreas = new Map<string, Promise<object>>()

/** Returns the texts in the selected language. Suspends until those of the areas are loaded. */
export function useTexts<A extends AreaName = never>(...names: readonly A[]): Texts & Pick<AreaTexts, A> {
  const { language, texts } = useLanguage()
  const ofAreas = names.map((area) => {
    const key = `${language} ${area}`
    const loading = loadingAreas.get(key) ?? loadArea(language, area)
    loadingAreas.set(key, loading)
    return [area, use(loading)]
  })
  // The entries are those of the names.
  return { ...texts, ...(Object.fromEntries(ofAreas) as Pick<AreaTexts, A>) }
}

async function loadArea(language: ConsoleLanguage, area: AreaName): Promise<object> {
  const { areas } = await catalogues[language]()
  const messages: object = await areas[area]()
  return createTexts<object, object>(language, messages)
}
