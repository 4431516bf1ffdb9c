import { useMutation } from '@tanstack/react-query'
import { Cancelled, toFault } from './fault.ts'

/** State of an action that a button starts. A cancelled dialog is not an error. */
export function useAction<A extends unknown[]>(change: (...args: A) => Promise<unknown>) {
  const mutation = useMutation<unknown, unknown, A>({ mutationFn: (given) => change(...given) })
  const failed = mutation.error !== null && !(mutation.error instanceof Cancelled)
  return {
    run: (...given: A) => mutation.mutate(given),
    isBusy: mutation.isPending,
    fault: failed ? toFault(mutation.error) : null,
    reset: mutation.reset,
  }
}
