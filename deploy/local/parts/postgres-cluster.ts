import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, realpath, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { LocalFailure } from './failure.ts'
import { findPrograms, type Program, requireProgram } from './programs.ts'
import type { User } from './unprivileged-user.ts'

// macOS: without a locale in the environment the server's libraries start a thread, and it refuses to run.
export const postgresEnvironment = { LC_ALL: 'C', PATH: '/usr/bin:/bin' }

/** Data can be opened only by the major version that made it. */
export async function programFor(data: string): Promise<Program> {
  const versionFile = join(data, 'PG_VERSION')
  if (!existsSync(versionFile)) return await requireProgram('postgres')
  const major = (await readFile(versionFile, 'utf8')).trim()
  const program = (await findPrograms('postgres')).find(({ version }) => version.split('.')[0] === major)
  if (program !== undefined) return program
  throw new LocalFailure(
    `The data in ${data} was made by PostgreSQL ${major}, which this machine does not have. Install it, or forget the data by \`npm run reset\`.`,
  )
}

interface Initialization {
  readonly program: Program
  readonly data: string
  readonly passwordFile: string
  readonly user: User | undefined
}

/** Makes the files of a new server; without waiting for the disk, as nothing of value is in them yet. */
export async function initialize({ program, data, passwordFile, user }: Initialization): Promise<void> {
  const fresh = `${data}-new` // takes its name when it is complete
  await rm(fresh, { recursive: true, force: true })
  const access = ['-U', 'postgres', '--pwfile', passwordFile, '-A', 'scram-sha-256']
  const args = ['-D', fresh, ...access, '-E', 'UTF8', '--locale=C', '--no-sync']
  const initdb = join(dirname(await realpath(program.path)), 'initdb') // a folder of PATH may have a link to the server alone
  const ids = user && { uid: user.uid, gid: user.gid }
  try {
    await promisify(execFile)(initdb, args, { env: postgresEnvironment, cwd: dirname(data), ...ids })
    await rename(fresh, data)
  } catch (cause) {
    await rm(fresh, { recursive: true, force: true })
    throw new LocalFailure(`PostgreSQL could not make its files in ${data}: ${reason(cause)}`, { cause })
  }
}

/** What the program wrote to its standard error, in one line. */
function reason(cause: unknown): string {
  const said = typeof cause === 'object' && cause !== null && 'stderr' in cause ? String(cause.stderr).trim() : ''
  return (said || String(cause)).split('\n').join(' ')
}
