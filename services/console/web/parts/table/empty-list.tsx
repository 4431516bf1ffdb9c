import { Button, Stack } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'

interface Props {
  readonly children: ReactNode
  /** What the dialog of the page does; false: the member cannot do it. */
  readonly action: string | false
}

/** Instead of an empty list: its purpose, and the first action. */
export function EmptyList({ children, action }: Props) {
  return (
    <Stack align="center">
      {children}
      {action && (
        <Button component={Link} href="?new" variant="light" leftSection={<IconPlus size={18} />}>
          {action}
        </Button>
      )}
    </Stack>
  )
}
