import { userColumns } from 'virtual:contract'
import { useRef } from 'react'
import { call } from '../../admin/call.ts'
import { queryClient, useRead } from '../../admin/queries.ts'
import type { AdminInput } from '../../admin/types.ts'
import { useAction } from '../../admin/use-action.ts'

type UserColumn = NonNullable<AdminInput<'changeMyUserColumns'>['user_columns']>[number]

/** Identifiers are long, and the page of a user shows them. */
const usualColumns = userColumns.filter((column) => column !== 'identifier')

/**
 * The columns of lists of users that the member chose, on all devices. `isLoading`: they are not known yet. If they cannot be
 * read, the usual columns are shown.
 */
export function useUserColumns() {
  const query = useRead('readMyUserColumns', {})
  const lastChange = useRef(Promise.resolve<unknown>(undefined))
  const columns: readonly UserColumn[] = query.data?.user_columns ?? usualColumns
  const change = useAction(async (next: UserColumn[]) => {
    const key = ['readMyUserColumns', {}]
    // Shown at once; a query in progress would show the earlier ones again.
    await queryClient.cancelQueries({ queryKey: key })
    queryClient.setQueryData(key, { user_columns: next })
    // One after the other, so that the last choice is stored last.
    const storing = lastChange.current
      .catch(() => undefined)
      .then(() => call('changeMyUserColumns', { user_columns: next }))
    lastChange.current = storing
    try {
      await storing
    } catch (error) {
      void queryClient.invalidateQueries({ queryKey: key })
      throw error
    }
  })
  return {
    isLoading: query.isPending,
    fault: change.fault,
    /** In the order of the list. */
    shown: userColumns.filter((column) => columns.includes(column)),
    hidden: userColumns.filter((column) => !columns.includes(column)),
    hide: (hidden: readonly string[]) => change.run(userColumns.filter((column) => !hidden.includes(column))),
  }
}
