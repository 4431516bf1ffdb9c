import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { LocalFailure } from '#local'
import { root } from '../local/settings.ts'

/** What a program printed; what it was given is on its standard input. */
export async function output(program: string, args: readonly string[], input = ''): Promise<string> {
  const running = promisify(execFile)(program, [...args], { cwd: root, maxBuffer: 64 * 1024 * 1024 })
  running.child.stdin?.end(input)
  return (await running).stdout
}

/**
 * The same, where an exit code other than 0 means that something checked is wrong.
 *
 * @throws LocalFailure with all that the program said
 */
export async function approve(program: string, args: readonly string[], input = ''): Promise<string> {
  try {
    return await output(program, args, input)
  } catch (error) {
    throw new LocalFailure(said(error))
  }
}

/** All that a program said which failed. */
export function said(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const [stdout, stderr] = ['stdout', 'stderr'].map((name) => String(Reflect.get(error, name) ?? ''))
  return `${stdout}${stderr}`.trim() || error.message
}
