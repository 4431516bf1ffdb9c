import { execFileSync } from 'node:child_process'
import { SetupError } from './setup-error.ts'

export interface SystemUser {
  readonly uid: number
  readonly gid: number
}

const candidates = ['postgres', '_postgres', 'nobody']

/** The user to run PostgreSQL as if this process runs as root, which PostgreSQL rejects; otherwise undefined. */
export function findUnprivilegedUser(): SystemUser | undefined {
  if (process.getuid?.() !== 0) return undefined
  for (const name of candidates) {
    const uid = idOf('-u', name)
    const gid = idOf('-g', name)
    if (uid !== undefined && gid !== undefined) return { uid, gid }
  }
  const names = candidates.join(', ')
  throw new SetupError(
    `PostgreSQL does not run as root, and none of the users ${names} exists to run it as. Create one.`,
  )
}

/** macOS prints nobody's -2 as an unsigned number; spawn wants it signed. */
function idOf(option: '-u' | '-g', name: string): number | undefined {
  try {
    return Number(execFileSync('id', [option, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })) | 0
  } catch {
    return undefined
  }
}
