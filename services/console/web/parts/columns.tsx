import { SimpleGrid } from '@mantine/core'
import type { ReactNode } from 'react'

/** Parts of a page, two side by side on wide screens. */
export function Columns({ children }: { children: ReactNode }) {
  return (
    <SimpleGrid cols={{ base: 1, xxl: 2 }} spacing="xl">
      {children}
    </SimpleGrid>
  )
}
