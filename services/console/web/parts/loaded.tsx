import { Skeleton, Stack } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { RequestFault } from '../admin/fault.ts'
import { useTexts } from '../texts/index.tsx'
import { FaultAlert } from './fault-alert.tsx'

/**
 * Renders the data of a query, a skeleton while it loads, or its error. If a refetch fails, the previous data stays with a note. The rest of
 * the page stays usable.
 */
export function Loaded<T>({ of, children }: { of: UseQueryResult<T, RequestFault>; children: (data: T) => ReactNode }) {
  const { common } = useTexts()
  const { data, error } = of
  const failure = error !== null && (
    <FaultAlert fault={error} retry={() => of.refetch()}>
      {data !== undefined && common.stale}
    </FaultAlert>
  )
  if (data !== undefined) {
    return (
      <>
        {failure}
        {children(data)}
      </>
    )
  }
  if (failure) return failure
  return (
    <Stack aria-busy="true" gap="sm">
      <Skeleton h={28} />
      <Skeleton h={28} />
      <Skeleton h={28} w="60%" />
    </Stack>
  )
}
