import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline'
import { LocalFailure } from './failure.ts'
import { commandToType, type Installer, installerFor } from './installers.ts'
import { lastWords } from './last-words.ts'
import { needed, type ProgramName, programList } from './program-list.ts'
import { findPrograms } from './programs.ts'

export interface Installing {
  /** Told in a few words what is being done, again and again. */
  readonly note: (text: string) => void
  /** What the package manager prints is kept here. */
  readonly log: string
}

/**
 * Makes sure that the programs are on this machine: what is missing is installed by apt (as root or by sudo) or brew.
 * Where that cannot be, throws a sentence with the command to type.
 */
export async function ensurePrograms(names: readonly ProgramName[], { note, log }: Installing): Promise<void> {
  const missing = await missingOf(names)
  if (missing.length === 0) return
  const installer = installerFor(missing)
  if (installer === undefined) {
    throw new LocalFailure(`This machine has no ${list(missing, needed)}. Type: ${commandToType(missing)}`)
  }
  const titles = list(missing, (name) => programList[name].title)
  note(`installing ${titles}`)
  const succeeded = await run(installer, { note: (text) => note(`installing ${titles}: ${text}`), log })
  const stillMissing = await missingOf(names)
  if (stillMissing.length === 0) return
  const what = list(stillMissing, needed)
  if (succeeded) {
    const advice = stillMissing.map((name) => programList[name].otherwise).join(' ')
    throw new LocalFailure(`The packages of this system have no ${what}. ${advice}`)
  }
  throw new LocalFailure(
    `${what} could not be installed. Type: ${commandToType(stillMissing)}\nThe log of the attempt is ${log}, which ends:\n${lastWords(log)}`,
  )
}

function list(names: readonly ProgramName[], say: (name: ProgramName) => string): string {
  return names.map(say).join(', ')
}

async function missingOf(names: readonly ProgramName[]): Promise<ProgramName[]> {
  const programs = await Promise.all(names.map(findPrograms))
  return names.filter((_, index) => programs[index]?.length === 0)
}

/** Runs it to its end and tells whether it succeeded. */
async function run({ command, environment }: Installer, { note, log }: Installing): Promise<boolean> {
  mkdirSync(dirname(log), { recursive: true })
  const output = createWriteStream(log)
  const [file = '', ...args] = command
  const child = spawn(file, args, { env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.pipe(output, { end: false })
  child.stderr.pipe(output, { end: false })
  createInterface(child.stdout).on('line', (line) => note(readable(line)))
  await once(child, 'close')
  output.end()
  await once(output, 'close')
  return child.exitCode === 0
}

/** A line of apt's progress, "pmstatus:redis-server:37.5:Unpacking redis-server (amd64)", as a person reads it; other lines as they are. */
function readable(line: string): string {
  const [, percent, what] = /^(?:dl|pm)status:[^:]*:([\d.]+):(.*)/.exec(line) ?? []
  return percent === undefined || what === undefined ? line : `${Math.round(Number(percent))} % ${what}`
}
