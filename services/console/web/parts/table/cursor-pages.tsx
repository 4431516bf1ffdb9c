import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import { useTexts } from '../../texts/index.tsx'

/** The pages of a list that a member has turned, each by where it begins. */
export interface CursorPages {
  /** Where the current page begins; undefined: the first one. */
  readonly after: string | undefined
  readonly turnTo: (after: string) => void
  readonly turnBack: () => void
  readonly turnToFirst: () => void
}

export function useCursorPages(): CursorPages {
  const [pages, setPages] = useState<readonly string[]>([])
  return {
    after: pages.at(-1),
    turnTo: (after) => setPages([...pages, after]),
    turnBack: () => setPages(pages.slice(0, -1)),
    turnToFirst: () => setPages([]),
  }
}

/** Buttons to turn pages. @param next where the next page begins; undefined: this is the last one */
export function PageButtons({ of, next }: { of: CursorPages; next: string | undefined }) {
  const { common } = useTexts()
  return (
    <Group>
      {of.after !== undefined && (
        <Button variant="default" onClick={of.turnBack}>
          {common.previous}
        </Button>
      )}
      {next !== undefined && (
        <Button variant="default" onClick={() => of.turnTo(next)}>
          {common.next}
        </Button>
      )}
    </Group>
  )
}
