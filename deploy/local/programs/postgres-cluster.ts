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

interface NewFiles {
  readonly program: Program
  readonly data: string
  readonly user: SystemUser | undefined
}

/** Creates the files of a new server. Does not sync them to disk because they contain no data yet. */
export async function initializePostgres({
  passwordFile,
  ...files
}: NewFiles & { readonly passwordFile: string }): Promise<void> {
  const access = ['-U', 'postgres', '--pwfile', passwordFile, '-A', 'scram-sha-256']
  await createFiles(files, 'initdb', { args: [...access, '-E', 'UTF8', '--locale=C', '--no-sync'] })
}

/** Copies the files of a running server for a standby of it. */
export async function copyPostgres({ url, ...files }: NewFiles & { readonly url: string }): Promise<void> {
  const primary = new URL(url)
  const password = decodeURIComponent(primary.password)
  primary.password = ''
  const args = ['--dbname', primary.href, '--checkpoint', 'fast', '--write-recovery-conf', '--no-sync']
  await createFiles(files, 'pg_basebackup', { args, environment: { PGPASSWORD: password } })
}

async function createFiles(
  { program, data, user }: NewFiles,
  command: string,
  { args, environment }: { readonly args: readonly string[]; readonly environment?: NodeJS.ProcessEnv },
): Promise<void> {
  const temporary = `${data}-new` // renamed when it is complete
  await rm(temporary, { recursive: true, force: true })
  const path = join(dirname(await realpath(program.path)), command) // A directory of PATH can contain a link to the server only.
  const ids = user && { uid: user.uid, gid: user.gid }
  const env = { ...postgresEnvironment, ...environment }
  try {
    await promisify(execFile)(path, ['-D', temporary, ...args], { env, cwd: dirname(data), ...ids })
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
