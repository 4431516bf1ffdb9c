import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { delimiter, join } from 'node:path'
import { SetupError } from '#local'

export interface ShellOptions {
  readonly directory: string
  /** Stops the commands when it aborts. */
  readonly signal: AbortSignal
}

/** Commands that run in the background, in a process group of their own. */
export interface RunningCommands {
  /** Resolves with the exit code when all their processes have ended. */
  readonly ended: Promise<number | null>
  readonly output: () => string
  readonly stop: () => Promise<void>
}

const stopDeadlineMs = 10_000
const groups = new Set<number>()
process.once('exit', () => {
  for (const group of groups) signalGroup(group, 'SIGKILL')
})

export function startCommands(script: string, { directory, signal }: ShellOptions): RunningCommands {
  const child = spawn('/bin/sh', ['-e', '-c', script], {
    cwd: directory,
    env: { ...readerEnvironment(), PWD: directory },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const { pid } = child
  if (pid === undefined) throw new SetupError('/bin/sh could not be started.')
  groups.add(pid)
  let output = ''
  const append = (text: string) => {
    output += text
  }
  child.stdout.setEncoding('utf8').on('data', append)
  child.stderr.setEncoding('utf8').on('data', append)

  const terminate = () => signalGroup(pid, 'SIGTERM')
  signal.addEventListener('abort', terminate)
  // The event comes when the last process of the group has closed its output.
  const ended = once(child, 'close').then(() => {
    groups.delete(pid)
    signal.removeEventListener('abort', terminate)
    return child.exitCode
  })
  return {
    ended,
    output: () => output,
    stop: async () => {
      terminate()
      const deadline = setTimeout(() => signalGroup(pid, 'SIGKILL'), stopDeadlineMs)
      await ended
      clearTimeout(deadline)
    },
  }
}

/** Runs commands to their end and returns their output. @throws SetupError with the output if one fails */
export async function runCommands(script: string, options: ShellOptions): Promise<string> {
  const running = startCommands(script, options)
  const exitCode = await running.ended
  options.signal.throwIfAborted()
  if (exitCode !== 0) throw new SetupError(`These commands failed:\n${script}\nTheir output:\n${running.output()}`)
  return running.output()
}

/** The environment of a reader's shell: without the variables that npm and run.js set for programs of this repository. */
export function readerEnvironment(): NodeJS.ProcessEnv {
  const own =
    /^(npm_(command|execpath|node_execpath|lifecycle_.*|package_.*|config_local_prefix)|INIT_CWD|NODE|NODE_COMPILE_CACHE|PORT)$/
  const bin = join('node_modules', '.bin')
  const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.endsWith(bin))
  const inherited = Object.entries(process.env).filter(([name]) => !own.test(name))
  return { ...Object.fromEntries(inherited), PATH: path.join(delimiter), NEXT_TELEMETRY_DISABLED: '1' }
}

function signalGroup(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-group, signal)
  } catch {
    // The group has ended already.
  }
}
