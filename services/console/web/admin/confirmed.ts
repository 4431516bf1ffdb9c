import { type Cancelled, Fault } from './fault.ts'

export interface Question {
  readonly answer: () => void
  readonly refuse: (reason: Cancelled) => void
}

let ask: ((question: Question) => void) | undefined

/**
 * Does something that may need the passkey again: then asks for it in a dialog, and does it once more.
 *
 * @throws Cancelled when the person closes the dialog
 */
export async function confirmed<T>(change: () => Promise<T>): Promise<T> {
  try {
    return await change()
  } catch (error) {
    if (!(error instanceof Fault) || error.fault !== 'passkey_needed' || ask === undefined) throw error
    await new Promise<void>((answer, refuse) => ask?.({ answer, refuse }))
    return change()
  }
}

/** Has the questions of `confirmed` answered by this, until the returned function is called. */
export function answerQuestions(answerer: (question: Question) => void): () => void {
  ask = answerer
  return () => {
    ask = undefined
  }
}
