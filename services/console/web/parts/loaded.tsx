import { Skeleton, Stack } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Fault } from '../admin/fault.ts'
import { Failure } from './failure.tsx'

/** What was read; until then its outline, and where it cannot be had, why. The rest of the page stays usable. */
export function Loaded<T>({ of, children }: { of: UseQueryResult<T, Fault>; children: (data: T) => ReactNode }) {
  if (of.data !== undefined) return children(of.data)
  if (of.error !== null) return <Failure fault={of.error} again={() => of.refetch()} />
  return (
    <Stack aria-busy="true" gap="sm">
      <Skeleton h={28} />
      <Skeleton h={28} />
      <Skeleton h={28} w="60%" />
    </Stack>
  )
}
