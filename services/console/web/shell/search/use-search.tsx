import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { lazy, type ReactNode, Suspense } from 'react'

/** Loaded when the search is opened first. */
const SearchDialog = lazy(async () => ({ default: (await import('./search-dialog.tsx')).SearchDialog }))

/** The search, which Ctrl K (on a Mac ⌘ K) and `open` open, also from a field. */
export function useSearch(): { readonly open: () => void; readonly dialog: ReactNode } {
  const [opened, { open, close }] = useDisclosure()
  useHotkeys([['mod+K', open]], [])
  return {
    open,
    dialog: opened && (
      <Suspense>
        <SearchDialog opened close={close} />
      </Suspense>
    ),
  }
}
