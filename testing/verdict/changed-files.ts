import { execFileSync } from 'node:child_process'

/**
 * The commit that a submission is compared with: `CI_BASE` if it is set, otherwise where this branch left `origin/main`.
 * Undefined if this is `origin/main` itself or there is none, so that nothing can be compared.
 */
export function findBase(directory: string, base = process.env.CI_BASE): string | undefined {
  try {
    const from = git(directory, 'merge-base', base === undefined || base === '' ? 'origin/main' : base, 'HEAD')
    return from === git(directory, 'rev-parse', 'HEAD') ? undefined : from
  } catch {
    return undefined // a clone without its history, or without a remote
  }
}

/** Files that differ from the base of a submission; undefined without one. */
export function findChangedFiles(directory: string, base = findBase(directory)): readonly string[] | undefined {
  return base === undefined ? undefined : git(directory, 'diff', '--name-only', base).split('\n')
}

/** The messages of the commits since the base of a submission, without merges; none without a base. */
export function listCommitMessages(directory: string, base = findBase(directory)): readonly string[] {
  if (base === undefined) return []
  const messages = git(directory, 'log', '--no-merges', '-z', '--format=%B', `${base}..HEAD`).split('\0')
  // Git ends each message with NUL, the last one as well.
  return messages.filter((message) => message !== '')
}

function git(directory: string, ...command: string[]): string {
  return execFileSync('git', command, { cwd: directory, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
}
