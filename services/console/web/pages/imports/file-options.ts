import type { ReadOptions } from '../../../import-files/formats.ts'

/** How a file is read, as the form has it. */
export interface FileOptions {
  readonly import_blocked: boolean
  /** Our provider by the name in the file. */
  readonly providers: Readonly<Record<string, string>>
  readonly realm: string | null
}

export const defaultOptions: FileOptions = { import_blocked: false, providers: {}, realm: null }

export function toReadOptions({ import_blocked, providers, realm }: FileOptions): ReadOptions {
  return {
    blocked: import_blocked ? 'import' : 'reject',
    providers: new Map(Object.entries(providers)),
    realm: realm ?? undefined,
  }
}
