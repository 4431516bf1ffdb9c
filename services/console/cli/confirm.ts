import { createInterface } from 'node:readline'
import { Failure } from './failure.ts'
import type { Io } from './io.ts'

/** @throws Failure `usage` unless a person says yes */
export async function confirm(question: string, io: Io): Promise<void> {
  io.complain(`${question} (yes/no) `)
  const answers = createInterface({ input: io.stdin })
  const { value: answer } = await answers[Symbol.asyncIterator]().next()
  answers.close()
  if (!/^y(es)?$/i.test(String(answer ?? '').trim())) throw new Failure('usage', 'Nothing was done.')
}
