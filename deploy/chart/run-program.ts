import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { SetupError } from '#local'
import { root } from '../local/settings.ts'

/** Returns the output of a program that gets the input on its standard input. */
export async function runProgram(program: string, args: readonly string[], input = ''): Promise<string> {
  const running = promisify(execFile)(program, [...args], { cwd: root, maxBuffer: 64 * 1024 * 1024 })
  running.child.stdin?.end(input)
  return (await running).stdout
}

/**
 * The same, where an exit code other than 0 means that something checked is wrong.
 *
 * @throws SetupError with the program's output
 */
export async function runCheck(program: string, args: readonly string[], input = ''): Promise<string> {
  try {
    return await runProgram(program, args, input)
  } catch (error) {
    throw new SetupError(outputOf(error))
  }
}

/** The output of a program that failed. */
export function outputOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const [stdout, stderr] = ['stdout', 'stderr'].map((name) => String(Reflect.get(error, name) ?? ''))
  return `${stdout}${stderr}`.trim() || error.message
}
