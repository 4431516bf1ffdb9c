import { Group, Table, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconArrowDown, IconArrowsSort, IconArrowUp } from '@tabler/icons-react'
import { Fragment, type ReactNode } from 'react'
import { useTexts } from '../../texts/index.tsx'
import type { Sort } from './use-table-choices.ts'

interface Props {
  readonly id: string
  /** Null: the column of actions. */
  readonly title: string | null
  readonly isNumber: boolean
  /** Undefined: the table is sorted by another column. */
  readonly sort?: Sort | undefined
  /** Without it, the column cannot be sorted by. */
  readonly setSort?: (sort: Sort | undefined) => void
  /** Sorts descending, then ascending, and never not at all. */
  readonly isDescFirst?: boolean
}

/** The title of a column. Activating it sorts ascending, then descending, then not. */
export function HeaderCell({ id, title, isNumber, sort, setSort, isDescFirst = false }: Props) {
  const { common } = useTexts()
  const end = isNumber ? 'right' : undefined
  if (title === null || setSort === undefined) {
    return (
      <Table.Th role="columnheader" ta={end} pos="relative">
        {title === null ? <VisuallyHidden>{common.actions}</VisuallyHidden> : breakTitle(title)}
      </Table.Th>
    )
  }
  const Icon = sort === undefined ? IconArrowsSort : sort.desc ? IconArrowDown : IconArrowUp
  const next = findNextSort(id, sort, isDescFirst)
  return (
    <Table.Th
      role="columnheader"
      ta={end}
      aria-sort={sort === undefined ? 'none' : sort.desc ? 'descending' : 'ascending'}
    >
      <UnstyledButton fz="inherit" fw="inherit" ta={end} onClick={() => setSort(next)}>
        <Group gap={4} wrap="nowrap" component="span" display="inline-flex">
          <span>{breakTitle(title)}</span>
          <Icon size={14} style={{ flex: 'none' }} aria-hidden opacity={sort === undefined ? 0.4 : 1} />
        </Group>
      </UnstyledButton>
    </Table.Th>
  )
}

/** Lets a Japanese title without spaces break where its script changes, e.g. between 最終 and ログイン. */
function breakTitle(title: string): ReactNode {
  return title.split(scriptChange).map((part, at) => (
    <Fragment key={part}>
      {at > 0 && <wbr />}
      {part}
    </Fragment>
  ))
}

const scriptChange = /(?<=\p{Script=Han})(?=\p{Script=Katakana})|(?<=[\p{Script=Katakana}ー])(?=\p{Script=Han})/u

function findNextSort(id: string, sort: Sort | undefined, isDescFirst: boolean): Sort | undefined {
  if (sort === undefined) return { id, desc: isDescFirst }
  if (isDescFirst) return { id, desc: !sort.desc }
  return sort.desc ? undefined : { id, desc: true }
}
