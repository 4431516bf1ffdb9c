import { IconPlus } from '@tabler/icons-react'
import { useTexts } from '../../texts/index.tsx'
import { actionAreas, pathOfPage } from '../page-list.ts'
import { useHasPageRole, useVisiblePages } from '../visible-pages.ts'
import type { SearchEntry } from './search-entry.ts'

/** What the member can begin on the pages of the level that is open. */
export function useActions(): SearchEntry[] {
  const texts = useTexts(...actionAreas)
  const { groups, path } = useVisiblePages()
  const hasPageRole = useHasPageRole()
  return groups.flatMap(({ pages }) =>
    pages.flatMap((page): SearchEntry[] => {
      const { action } = page
      if (action === undefined || !hasPageRole(action.role)) return []
      const label = action.label(texts)
      return [{ group: 'actions', label, icon: IconPlus, to: `${pathOfPage({ path }, page)}?new` }]
    }),
  )
}
