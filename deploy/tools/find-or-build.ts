import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createWriteStream, existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { SetupError, searchPrograms } from '#local'
import type { Note } from '../local/progress.ts'
import { root } from '../local/settings.ts'
import { type ToolName, tools } from './tools.ts'

/** Directory of built tools, by the hash of their sources. */
const built = join(root, '.tools')

/**
 * The path of a tool's program: one found on the PATH, or built by Go of what `go.mod` and `go.sum` in the folder
 * `deploy/tools/<name>` pin, now or earlier.
 *
 * @throws SetupError with what to do: there is no Go that is new enough, or it could not build
 */
export async function findOrBuild(name: ToolName, { note }: { readonly note: Note }): Promise<string> {
  const [found] = await searchPrograms(tools[name], process.env)
  return found?.path ?? build(name, note)
}

async function build(name: ToolName, note: Note): Promise<string> {
  const { package_path } = tools[name]
  const directory = join(import.meta.dirname, name)
  const pins = createHash('sha256')
  for (const file of ['go.mod', 'go.sum']) pins.update(readFileSync(join(directory, file)))
  const program = join(built, `${name}-${pins.digest('hex').slice(0, 12)}`)
  if (existsSync(program)) return program

  mkdirSync(built, { recursive: true })
  const log = join(built, `${name}.log`)
  note(`${name} is built by Go, a minute or a few`)
  const unfinished = `${program}.${process.pid}`
  const environment = { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-mod=readonly' }
  const ended = await run('go', ['build', '-trimpath', '-o', unfinished, package_path], { directory, environment, log })
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
