import { Button, Group } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconFilter } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTexts } from '../../texts/index.tsx'

/** The filters of a list. On a phone they are shown on request, so that the list is seen at once. @param chosen how many are set */
export function FilterBar({ chosen, children }: { chosen: number; children: ReactNode }) {
  const { common } = useTexts()
  const [opened, { toggle }] = useDisclosure()
  return (
    <>
      <Button
        hiddenFrom="xs"
        variant="default"
        leftSection={<IconFilter size={18} />}
        onClick={toggle}
        aria-expanded={opened}
        style={{ alignSelf: 'flex-start' }}
      >
        {common.table.filters({ count: chosen })}
      </Button>
      <Group align="flex-end" {...(!opened && { visibleFrom: 'xs' })}>
        {children}
      </Group>
    </>
  )
}
