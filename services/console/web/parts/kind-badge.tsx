import { Badge, type BadgeProps } from '@mantine/core'
import type { Site } from '../admin/types.ts'
import { useTexts } from '../texts/index.tsx'

/** Whether a site is for development or production, in the same colors everywhere. */
export function KindBadge({ kind, ...props }: { kind: Site['kind'] } & Omit<BadgeProps, 'children'>) {
  const { common } = useTexts()
  return (
    <Badge variant="light" color={kind === 'production' ? 'teal' : 'yellow'} flex="none" {...props}>
      {common.kinds[kind]}
    </Badge>
  )
}
