import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, realpath, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { findPrograms, type Program, requireProgram } from './programs.ts'
import { SetupError } from './setup-error.ts'
import type { SystemUser } from './unprivileged-user.ts'

// macOS: without a locale in the environment the server's libraries start a thread, and the server does not start.
export const postgresEnvironment = { LC_ALL: 'C', PATH: '/usr/bin:/bin' }

/** Finds the PostgreSQL version for existing data: only the major version that created it can open it. */
export async function findMatchingPostgres(data: string): Promise<Program> {
  const versionFile = join(data, 'PG_VERSION')
  if (!existsSync(versionFile)) return await requireProgram('postgres')
  const major = (await readFile(versionFile, 'utf8')).trim()
  const program = (await findPrograms('postgres')).find(({ version }) => version.split('.')[0] === major)
  if (program !== undefined) return program
  throw new SetupError(
    `The data in ${data} was created by PostgreSQL ${major}, which is not installed. Install it, or delete the data with \`npm run reset\`.`,
  )
}

interface Initialization {
  readonly program: Program
  readonly data: string
  readonly passwordFile: string
  readonly user: SystemUser | undefined
}

/** Creates the files of a new server. Does not sync them to disk because they contain no data yet. */
export async function initializePostgres({ program, data, passwordFile, user }: Initialization): Promise<void> {
  const temporary = `${data}-new` // renamed when it is complete
  await rm(temporary, { recursive: true, force: true })
  const access = ['-U', 'postgres', '--pwfile', passwordFile, '-A', 'scram-sha-256']
  const args = ['-D', temporary, ...access, '-E', 'UTF8', '--locale=C', '--no-sync']
  const initdb = join(dirname(await realpath(program.path)), 'initdb') // A directory of PATH can contain a link to the server only.
  const ids = user && { uid: user.uid, gid: user.gid }
  try {
    await promisify(execFile)(initdb, args, { env: postgresEnvironment, cwd: dirname(data), ...ids })
    await rename(temporary, data)
  } catch (cause) {
    await rm(temporary, { recursive: true, force: true })
    throw new SetupError(`PostgreSQL could not create its files in ${data}: ${reason(cause)}`, { cause })
  }
}

/** What the program wrote to its standard error, in one line. */
function reason(cause: unknown): string {
  const output = typeof cause === 'object' && cause !== null && 'stderr' in cause ? String(cause.stderr).trim() : ''
  return (output || String(cause)).split('\n').join(' ')
}
