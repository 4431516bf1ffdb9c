import { useState } from 'preact/hooks'
import { Cancelled, type RequestFault, toFault } from '../admin/fault.ts'

/** State of an action that a button starts. A cancelled dialog is not an error; a second click is ignored while the action runs. */
export function useSignInAction(action: () => Promise<unknown>) {
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<RequestFault | null>(null)
  const run = async () => {
    if (isBusy) return
    setBusy(true)
    setFault(null)
    try {
      await action()
    } catch (error) {
      if (!(error instanceof Cancelled)) setFault(toFault(error))
    } finally {
      setBusy(false)
    }
  }
  return { run, isBusy, fault }
}
