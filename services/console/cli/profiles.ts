import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { CliError } from './cli-error.ts'
import { getErrorCode } from './error-code.ts'
import type { Io } from './io.ts'

/** The address of a console and a token for it. */
export interface ConnectionProfile {
  readonly url: string
  readonly token: string
  readonly allow_http: boolean
}

export interface Profiles {
  /** The name of the profile of the last login. */
  readonly current: string | null
  readonly profiles: Readonly<Record<string, ConnectionProfile>>
}

/** Reads the stored profiles. @throws CliError if the file cannot be read */
export async function readProfiles(io: Pick<Io, 'environment'>): Promise<Profiles> {
  const file = getProfilesFile(io)
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (getErrorCode(error) === 'ENOENT') return undefined
    throw new CliError('usage', `${file} cannot be read (${getErrorCode(error)}).`, { cause: error })
  })
  const none: Profiles = { current: null, profiles: {} }
  if (text === undefined) return none
  try {
    // Only writeProfiles writes the file.
    return { ...none, ...(JSON.parse(text) as Partial<Profiles>) }
  } catch (error) {
    throw new CliError('usage', `${file} is not valid JSON. Remove it and log in again.`, { cause: error })
  }
}

/** Replaces the file as a whole; only its owner can read it. */
export async function writeProfiles(profiles: Profiles, io: Pick<Io, 'environment'>): Promise<void> {
  const file = getProfilesFile(io)
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    await writeFile(`${file}.new`, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600 })
    await chmod(`${file}.new`, 0o600)
    await rename(`${file}.new`, file)
  } catch (error) {
    throw new CliError('usage', `${file} cannot be written (${getErrorCode(error)}).`, { cause: error })
  }
}

function getProfilesFile({ environment }: Pick<Io, 'environment'>): string {
  const base = environment.XDG_CONFIG_HOME || join(environment.HOME || homedir(), '.config')
  return join(base, 'social-login/profiles.json')
}
