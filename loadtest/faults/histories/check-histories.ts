import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import type { Note } from '../../../deploy/local/progress.ts'
import { buildGoProgram } from '../../../deploy/tools/build-go-program.ts'
import type { History } from './history.ts'

const Verdict = z.object({ seed: z.number(), verdict: z.enum(['linearizable', 'not linearizable', 'unknown']) })
export type Verdict = z.infer<typeof Verdict>

/** Builds the checker, unless it was built before. @throws SetupError: there is no Go, or it could not build */
export function buildChecker(note: Note): Promise<string> {
  const directory = join(import.meta.dirname, 'checker')
  return buildGoProgram({ name: 'histories-checker', directory, package_path: '.' }, note)
}

/** Whether each history is linearizable: whether its answers are those of its operations one after another. */
export async function checkHistories(checker: string, histories: readonly History[]): Promise<readonly Verdict[]> {
  const child = spawn(checker, { stdio: ['pipe', 'pipe', 'inherit'] })
  for (const history of histories) child.stdin.write(`${JSON.stringify(history)}\n`)
  child.stdin.end()
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  if (code !== 0) throw new Error(`The checker of histories ended with ${code}.`)
  return output
    .trim()
    .split('\n')
    .map((line) => Verdict.parse(JSON.parse(line)))
}
