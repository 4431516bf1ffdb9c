import { createContext, type ReactNode, use, useState } from 'react'
import { createTexts, type TextsOf } from '#messages'
import type { areas, catalogue as en, loadExplanations } from './en/index.ts'
import type { Guides, LoadConfiguredGuides } from './guide.ts'
import { type ConsoleLanguage, getLanguage, storeLanguage } from './language.ts'
import type { MessageParameters } from './parameters.ts'
import { loadReasonTexts, type TranslateReason } from './reasons.ts'

export type Texts = TextsOf<typeof en, MessageParameters>
type AreaName = keyof typeof areas
type AreaTexts = {
  readonly [A in AreaName]: TextsOf<
    Awaited<ReturnType<(typeof areas)[A]>>,
    A extends keyof MessageParameters ? MessageParameters[A] : object
  >
}

interface Catalogue {
  readonly catalogue: typeof en
  /** Load the messages of pages. */
  readonly areas: typeof areas
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

const TextsContext = createContext<TextsContextValue | null>(null)

/** Loads the texts of a language; by default that of the page. */
export async function loadTexts(language: ConsoleLanguage = getLanguage()): Promise<LoadedTexts> {
  const { catalogue, ...guides } = await catalogues[language]()
  return { language, texts: createTexts<typeof en, MessageParameters>(language, catalogue), ...guides }
}

export function TextsProvider({ first: initial, children }: { first: LoadedTexts; children: ReactNode }) {
  const [loaded, setSpoken] = useState(initial)
  const chooseLanguage = async (language: ConsoleLanguage) => {
    const texts = await loadTexts(language)
    storeLanguage(language)
    setSpoken(texts)
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
