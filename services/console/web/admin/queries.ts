import { keepPreviousData, QueryCache, QueryClient, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { call, type RequestOptions } from './call.ts'
import { withConfirmation } from './confirmation-dialog.tsx'
import { Cancelled, RequestFault, toFault } from './fault.ts'
import type { AdminInput, AdminOutput, ProcedureName } from './types.ts'

const staleMs = 5_000
/** One retry is enough, because the console itself waits for other services. */
const maxRetries = 1

/**
 * Query cache by procedure and input. When a query finds that the session has ended, the member is read again, and cached data stays on
 * the page.
 */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => {
      const ended = error instanceof RequestFault && error.fault === 'not_signed_in'
      if (ended && query.queryKey[0] !== 'readMe') void queryClient.invalidateQueries({ queryKey: ['readMe'] })
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: staleMs,
      retry: (failures, error) =>
        failures < maxRetries && ['unreachable', 'unavailable'].includes(toFault(error).fault),
    },
  },
})

interface ReadOptions<T> {
  readonly enabled?: boolean
  /** Refetch interval, or a function of the data that returns it; `false`: no refetch. */
  readonly intervalMs?: number | false | ((read: T | undefined) => number | false)
  /** Returns true if the data does not change any more and is not fetched again. */
  readonly isFinal?: (read: T | undefined) => boolean
  /** Show the previous data until the new data is loaded, for pages of a list. */
  readonly keepPrevious?: boolean
  /** Personal data: not fetched again on window focus, as the audit trail records each read. */
  readonly personal?: true
}

/** Reads a procedure through the query cache. */
export function useRead<N extends ProcedureName>(
  name: N,
  input: AdminInput<N>,
  {
    enabled = true,
    intervalMs: everyMs = false,
    isFinal: once,
    keepPrevious = false,
    personal,
  }: ReadOptions<AdminOutput<N>> = {},
): UseQueryResult<AdminOutput<N>, RequestFault> {
  return useQuery<AdminOutput<N>, RequestFault>({
    queryKey: [name, input],
    queryFn: ({ signal }) => call(name, input, { signal }),
    enabled: enabled && (({ state }) => once?.(state.data) !== true),
    refetchInterval: ({ state }) => (typeof everyMs === 'function' ? everyMs(state.data) : everyMs),
    ...(personal ? { refetchOnWindowFocus: false, refetchOnReconnect: false } : {}),
    ...(keepPrevious ? { placeholderData: keepPreviousData } : {}),
  })
}

interface MutateOptions extends RequestOptions {
  /** Runs before the queries are refetched, for example to leave the page of a deleted resource. */
  readonly beforeRefresh?: () => void
}

/**
 * Calls a procedure that changes data, with a confirmation dialog if the service requires one. Refetches all queries afterwards, even after
 * an error, because outdated data can be its cause.
 */
export async function mutate<N extends ProcedureName>(
  name: N,
  input: AdminInput<N>,
  { beforeRefresh, ...options }: MutateOptions = {},
): Promise<AdminOutput<N>> {
  try {
    const response = await withConfirmation(() => call(name, input, options))
    beforeRefresh?.()
    await queryClient.invalidateQueries()
    return response
  } catch (error) {
    if (!(error instanceof Cancelled)) void queryClient.invalidateQueries()
    throw error
  }
}
