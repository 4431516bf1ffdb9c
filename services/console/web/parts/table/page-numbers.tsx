import { Pagination } from '@mantine/core'
import { useTexts } from '../../texts/index.tsx'

interface Props {
  readonly total: number
  /** From 0. */
  readonly page: number
  readonly turnTo: (page: number) => void
}

/** The numbers of the pages of a list; nothing if it has one page. */
export function PageNumbers({ total, page, turnTo }: Props) {
  const { common } = useTexts()
  const labels: Readonly<Record<string, string>> = { previous: common.previous, next: common.next }
  if (total <= 1) return null
  return (
    <Pagination
      total={total}
      value={page + 1}
      onChange={(next) => turnTo(next - 1)}
      getControlProps={(control) => ({ 'aria-label': labels[control] ?? control })}
      aria-label={common.pages}
    />
  )
}
