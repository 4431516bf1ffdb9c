import { use } from 'react'
import type { Guides } from './en/guides.ts'
import { useLanguage } from './index.tsx'

/** What the texts about every login provider have in common. */
export interface Guide {
  /** The address of the provider's console. */
  readonly console: string
  readonly client_id: string
  readonly client_secret: string
  readonly client_secret_hint?: string
  readonly steps: Readonly<Record<string, string>>
  /** Where the provider's console takes the address for notices. */
  readonly notices?: string
  readonly beware?: Readonly<Record<string, string>>
  /** The names of its options, and hints. */
  readonly options?: Readonly<Record<string, string>>
}

/** The texts about a login provider. Suspends until they are loaded. */
export function useGuide<P extends keyof Guides>(provider: P): Awaited<ReturnType<Guides[P]>>['default'] {
  return use(useLanguage().guides[provider]()).default
}
