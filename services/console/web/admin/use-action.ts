import { useMutation } from '@tanstack/react-query'
import { Cancelled, toFault } from './fault.ts'

/** Something done by a button: under way, failed, or done. A dialog that was closed is no failure. */
export function useAction<A extends unknown[]>(change: (...given: A) => Promise<unknown>) {
  const mutation = useMutation<unknown, unknown, A>({ mutationFn: (given) => change(...given) })
  const failed = mutation.error !== null && !(mutation.error instanceof Cancelled)
  return {
    run: (...given: A) => mutation.mutate(given),
    isBusy: mutation.isPending,
    fault: failed ? toFault(mutation.error) : null,
    reset: mutation.reset,
  }
}
