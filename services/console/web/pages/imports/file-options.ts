import type { ReadOptions } from '../../../import-files/formats.ts'
import { useSiteProviders } from '../../parts/site-providers.ts'

/** How a file is read, as the form has it. */
export interface FileOptions {
  readonly import_blocked: boolean
  /** Our provider by the name in the file. */
  readonly providers: Readonly<Record<string, string>>
  readonly realm: string | null
}

/** Providers that the site configured have the same names in files. */
export function useDefaultOptions(): FileOptions {
  const { configured = [] } = useSiteProviders() ?? {}
  const providers = Object.fromEntries(configured.map((name) => [name, name]))
  return { import_blocked: false, providers, realm: null }
}

export function toReadOptions({ import_blocked, providers, realm }: FileOptions): ReadOptions {
  return {
    blocked: import_blocked ? 'import' : 'reject',
    providers: new Map(Object.entries(providers)),
    realm: realm ?? undefined,
  }
}
