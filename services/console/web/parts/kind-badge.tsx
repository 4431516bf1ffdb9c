import { Badge, type BadgeProps } from '@mantine/core'
import type { Site } from '../admin/types.ts'
import { useTexts } from '../texts/index.tsx'

/** Shows whether a site is for development or production. */
export function KindBadge({ kind, ...props }: { kind: Site['kind'] } & Omit<BadgeProps, 'children'>) {
  const { common } = useTexts()
  return (
    <Badge variant="light" color={kind === 'production' ? 'teal' : 'yellow'} flex="none" {...props}>
      {common.kinds[kind]}
    </Badge>
  )
}
