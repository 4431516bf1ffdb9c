import { keepPreviousData, QueryCache, QueryClient, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { type CallOptions, call } from './call.ts'
import { withConfirmation } from './confirmation-dialog.tsx'
import { Cancelled, RequestFault, toFault } from './fault.ts'
import type { Input, Output, ProcedureName } from './types.ts'

const staleMs = 5_000
/** A service that does not answer is waited for long enough by ours. */
const maxRetries = 1

/**
 * All that was read, by procedure and input. That a session has ended shows at the next reading: then who we are is asked again,
 * and what was read before stays.
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
  /** Read again every so often, or as what was read demands; `false`: not. */
  readonly intervalMs?: number | false | ((read: T | undefined) => number | false)
  /** What was read holds for as long as the page does when this says so. */
  readonly isFinal?: (read: T | undefined) => boolean
  /** Show what was there until the new is there: for pages of a list. */
  readonly keepPrevious?: boolean
  /** Personal data: not fetched again on window focus, as the audit trail records each read. */
  readonly personal?: true
}

/** What a reading procedure answers. */
export function useRead<N extends ProcedureName>(
  name: N,
  input: Input<N>,
  {
    enabled = true,
    intervalMs: everyMs = false,
    isFinal: once,
    keepPrevious: keep = false,
    personal,
  }: ReadOptions<Output<N>> = {},
): UseQueryResult<Output<N>, RequestFault> {
  return useQuery<Output<N>, RequestFault>({
    queryKey: [name, input],
    queryFn: ({ signal }) => call(name, input, { signal }),
    enabled: enabled && (({ state }) => once?.(state.data) !== true),
    refetchInterval: ({ state }) => (typeof everyMs === 'function' ? everyMs(state.data) : everyMs),
    ...(personal ? { refetchOnWindowFocus: false, refetchOnReconnect: false } : {}),
    ...(keep ? { placeholderData: keepPreviousData } : {}),
  })
}

interface MutateOptions extends CallOptions {
  /** Goes elsewhere, when what the page shows is gone by this: before anything is read again. */
  readonly beforeRefresh?: () => void
}

/**
 * Calls a procedure that changes something; asks for the passkey where the service wants it, and then repeats the call. What is
 * shown is read again, also after a refusal: that may be what it is about.
 */
export async function mutate<N extends ProcedureName>(
  name: N,
  input: Input<N>,
  { beforeRefresh: leave, ...options }: MutateOptions = {},
): Promise<Output<N>> {
  try {
    const response = await withConfirmation(() => call(name, input, options))
    leave?.()
    await queryClient.invalidateQueries()
    return response
  } catch (error) {
    if (!(error instanceof Cancelled)) void queryClient.invalidateQueries()
    throw error
  }
}
