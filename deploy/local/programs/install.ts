import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline'
import { findInstaller, formatInstallCommand, type Installer } from './installers.ts'
import { readLogTail } from './log-tail.ts'
import { describeRequirement, type ProgramName, programList } from './program-list.ts'
import { findPrograms } from './programs.ts'
import { SetupError } from './setup-error.ts'

export interface InstallOptions {
  /** Receives the progress. */
  readonly note: (text: string) => void
  /** File for the package manager's output. */
  readonly log: string
}

/**
 * Installs missing programs with apt (as root or with sudo) or brew.
 *
 * @throws SetupError with the command to run if that is impossible
 */
export async function ensurePrograms(names: readonly ProgramName[], { note, log }: InstallOptions): Promise<void> {
  const missing = await missingOf(names)
  if (missing.length === 0) return
  const installer = findInstaller(missing)
  if (installer === undefined) {
    throw new SetupError(`${list(missing, describeRequirement)} is required. Run: ${formatInstallCommand(missing)}`)
  }
  const titles = list(missing, (name) => programList[name].title)
  note(`installing ${titles}`)
  const succeeded = await run(installer, { note: (text) => note(`installing ${titles}: ${text}`), log })
  const stillMissing = await missingOf(names)
  if (stillMissing.length === 0) return
  const what = list(stillMissing, describeRequirement)
  if (succeeded) {
    const advice = stillMissing.map((name) => programList[name].otherwise).join(' ')
    throw new SetupError(`This system's packages do not include ${what}. ${advice}`)
  }
  throw new SetupError(
    `${what} could not be installed. Run: ${formatInstallCommand(stillMissing)}\nThe log of the attempt is ${log}, which ends:\n${readLogTail(log)}`,
  )
}

function list(names: readonly ProgramName[], say: (name: ProgramName) => string): string {
  return names.map(say).join(', ')
}

async function missingOf(names: readonly ProgramName[]): Promise<ProgramName[]> {
  const programs = await Promise.all(names.map(findPrograms))
  return names.filter((_, index) => programs[index]?.length === 0)
}

/** Runs an installer. @returns whether it succeeded */
async function run({ command, environment }: Installer, { note, log }: InstallOptions): Promise<boolean> {
  mkdirSync(dirname(log), { recursive: true })
  const output = createWriteStream(log)
  const [file = '', ...args] = command
  const child = spawn(file, args, { env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.pipe(output, { end: false })
  child.stderr.pipe(output, { end: false })
  createInterface(child.stdout).on('line', (line) => note(formatProgress(line)))
  await once(child, 'close')
  output.end()
  await once(output, 'close')
  return child.exitCode === 0
}

/** Formats a line of apt's progress, such as "pmstatus:redis-server:37.5:Unpacking redis-server (amd64)"; other lines are unchanged. */
function formatProgress(line: string): string {
  const [, percent, what] = /^(?:dl|pm)status:[^:]*:([\d.]+):(.*)/.exec(line) ?? []
  return percent === undefined || what === undefined ? line : `${Math.round(Number(percent))} % ${what}`
}
