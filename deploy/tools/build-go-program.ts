import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createWriteStream, existsSync, globSync, mkdirSync, readFileSync, renameSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { SetupError } from '#local'
import type { Note } from '../local/progress.ts'

/**
 * Directory of built programs, by the hash of their sources, which all clones of a user share (XDG Base Directory
 * Specification).
 */
const built = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'social-login/tools')

export interface GoProgram {
  readonly name: string
  /** Of `go.mod`, `go.sum` and, for a program of ours, its sources. */
  readonly directory: string
  readonly package_path: string
  /** Values that the linker sets, by the full name of the variable. */
  readonly variables?: Readonly<Record<string, string>>
}

/**
 * Builds a program with Go, unless it was built of the same sources before. Returns its path.
 *
 * @throws SetupError with what to do: there is no Go that is new enough, or it could not build
 */
export async function buildGoProgram(
  { name, directory, package_path, variables = {} }: GoProgram,
  note: Note,
): Promise<string> {
  const linking = Object.entries(variables).map(([variable, value]) => `-X ${variable}=${value}`)
  const sources = createHash('sha256').update(linking.join(' '))
  for (const file of globSync('{go.mod,go.sum,*.go}', { cwd: directory }).sort())
    sources.update(readFileSync(join(directory, file)))
  const program = join(built, `${name}-${sources.digest('hex').slice(0, 12)}`)
  if (existsSync(program)) return program

  mkdirSync(built, { recursive: true })
  const log = join(built, `${name}.log`)
  note(`${name} is built by Go, a minute or a few`)
  const unfinished = `${program}.${process.pid}`
  const flags = [process.env.GOFLAGS, '-mod=readonly'].filter((flag) => flag !== undefined)
  const environment = { ...process.env, CGO_ENABLED: '0', GOFLAGS: flags.join(' ') }
  const options = ['-trimpath', ...(linking.length === 0 ? [] : ['-ldflags', linking.join(' ')]), '-o', unfinished]
  const ended = await run('go', ['build', ...options, package_path], { directory, environment, log })
  if (ended === 'missing') {
    const go = /^go (\d+\.\d+)/m.exec(readFileSync(join(directory, 'go.mod'), 'utf8'))?.[1]
    throw new SetupError(
      `${name} was not found, and there is no Go to build it. Install either of them (Go ${go} or newer).`,
    )
  }
  if (ended !== 0) throw new SetupError(`${name} could not be built by Go. The log is ${log}.`)
  renameSync(unfinished, program)
  return program
}

function run(
  command: string,
  args: readonly string[],
  { directory, environment, log }: { directory: string; environment: NodeJS.ProcessEnv; log: string },
): Promise<number | 'missing'> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: directory, env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
    const output = createWriteStream(log, { mode: 0o600 })
    child.stdout.pipe(output, { end: false })
    child.stderr.pipe(output, { end: false })
    child.on('error', () => resolve('missing'))
    child.on('close', (code) => resolve(code ?? 1))
  })
}
