import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { SystemUser } from './unprivileged-user.ts'

/** Root of data directories that PostgreSQL's user cannot reach elsewhere, for example below /root. */
const relocatedRoot = '/var/lib/social-login-local'
const temporary = '/tmp/social-login-postgres-'

/**
 * Chooses a data directory that PostgreSQL's user can reach: `directory`, or otherwise one under /var/lib, named in a file in
 * `directory`. Data that need not be durable is then in /tmp.
 */
export function choosePostgresDirectory(user: SystemUser, directory: string, durable: boolean): string {
  const home = canReach(user, dirname(directory)) ? directory : durable ? relocate(directory) : mkdtempSync(temporary)
  chownSync(home, user.uid, user.gid)
  return home
}

/** Removes the home elsewhere, if `homeFor` made one for this directory. */
export function removeRelocatedPostgres(directory: string): void {
  rmSync(relocatedPath(directory), { recursive: true, force: true })
  if (existsSync(relocatedRoot) && readdirSync(relocatedRoot).length === 0) rmdirSync(relocatedRoot)
}

function relocate(directory: string): string {
  const relocated = relocatedPath(directory)
  const pointer = join(directory, 'data-directory')
  if (!existsSync(pointer)) removeRelocatedPostgres(directory) // left by an earlier directory that was removed by hand
  mkdirSync(relocatedRoot, { recursive: true, mode: 0o755 })
  mkdirSync(relocated, { recursive: true, mode: 0o700 })
  writeFileSync(pointer, `${relocated}\n`)
  return relocated
}

function relocatedPath(directory: string): string {
  return join(relocatedRoot, createHash('sha256').update(directory).digest('hex').slice(0, 16))
}

function canReach({ uid, gid }: SystemUser, directory: string): boolean {
  const result = spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', directory], { uid, gid, cwd: '/', stdio: 'ignore' })
  return result.status === 0
}
