import type { Icon } from '@tabler/icons-react'

/** In the order in which they are listed. */
export const searchGroups = [
  'pages',
  'sites',
  'clients',
  'providers',
  'users',
  'actions',
  'settings',
  'documentation',
] as const
export type SearchGroup = (typeof searchGroups)[number]

/** What the search finds. */
export interface SearchEntry {
  readonly group: SearchGroup
  readonly label: string
  /** Distinguishes entries with the same label, such as an ID. It is searched as well. */
  readonly detail?: string
  /** Searched, but not shown. */
  readonly keywords?: string
  readonly icon: Icon
  /** The path of a page of the console, or a URL of the documentation. */
  readonly to: string
}

/** Entries that contain every word of a text, those that begin with it first; width and case of characters do not matter. */
export function findEntries(entries: readonly SearchEntry[], searched: string): SearchEntry[] {
  const words = fold(searched).split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  const matches = entries.filter(({ label, detail = '', keywords = '' }) => {
    const text = fold(`${label} ${detail} ${keywords}`)
    return words.every((word) => text.includes(word))
  })
  const whole = fold(searched)
  const rank = ({ label }: SearchEntry) => (fold(label).startsWith(whole) ? 0 : 1)
  return matches.sort((one, other) => rank(one) - rank(other))
}

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase().trim()
}
