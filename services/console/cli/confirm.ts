import { createInterface } from 'node:readline'
import { CliError } from './cli-error.ts'
import type { Io } from './io.ts'

/** Prompts for confirmation in the terminal. @throws CliError `usage` unless the answer is yes */
export async function confirmInTerminal(question: string, io: Io): Promise<void> {
  io.printError(`${question} (yes/no) `)
  const lines = createInterface({ input: io.stdin })
  const { value: answer } = await lines[Symbol.asyncIterator]().next()
  lines.close()
  if (!/^y(es)?$/i.test(String(answer ?? '').trim())) throw new CliError('usage', 'Not confirmed. Nothing was changed.')
}
