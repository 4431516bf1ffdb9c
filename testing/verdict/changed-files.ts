import { execFileSync } from 'node:child_process'

/**
 * Files that differ from the commit that a submission is compared with: `CI_BASE` if it is set, otherwise where this branch left
 * `origin/main`. Undefined if this is `origin/main` itself or there is none, so that nothing can be compared.
 */
export function findChangedFiles(directory: string, base = process.env.CI_BASE): readonly string[] | undefined {
  const git = (...arguments_: string[]) =>
    execFileSync('git', arguments_, { cwd: directory, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  try {
    const from = git('merge-base', base === undefined || base === '' ? 'origin/main' : base, 'HEAD')
    if (from === git('rev-parse', 'HEAD')) return undefined
    return git('diff', '--name-only', from).split('\n')
  } catch {
    return undefined // a clone without its history, or without a remote
  }
}
